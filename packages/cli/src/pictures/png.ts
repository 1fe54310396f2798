/** SVG as PNG, by resvg where it is installed. */
import type { Resvg } from '@resvg/resvg-js';

export async function pngOf(svg: string): Promise<Uint8Array> {
  const module = (await import('@resvg/resvg-js').catch(() => undefined)) as
    { readonly Resvg: typeof Resvg } | undefined;
  if (!module) {
    throw new Error(
      'show: expected the package @resvg/resvg-js for --format png, got none (npm install @resvg/resvg-js; or --format svg)',
    );
  }
  return new module.Resvg(svg, { fitTo: { mode: 'zoom', value: 2 } }).render().asPng();
}
