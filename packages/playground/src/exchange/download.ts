/** Files for a person to keep. */
import type { ThemeName } from '../drawing/attention-scale.ts';
import { palettes } from '../drawing/palette.ts';
import type { State } from '../page/state.ts';

export function downloadBytes(bytes: Uint8Array<ArrayBuffer> | Blob, name: string): void {
  const blob = bytes instanceof Blob ? bytes : new Blob([bytes], { type: 'application/octet-stream' });
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold on the data only once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** `GGNN-MulMlp-attention-t3`, without its ending. */
export function pictureName({ configuration, layer, time }: State, run: number): string {
  const at = layer === 'attention' ? `-t${Math.floor(time)}` : '';
  return `${configuration.runs[run].model}-${layer}${at}`;
}

/** The canvas as it is, on the page's background. */
export async function downloadPng(canvas: HTMLCanvasElement, theme: ThemeName, name: string): Promise<void> {
  const copy = document.createElement('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext('2d')!;
  context.fillStyle = palettes[theme].background;
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0);
  const blob = await new Promise<Blob | null>((resolve) => copy.toBlob(resolve, 'image/png'));
  if (!blob)
    throw new Error('export: expected a picture, got none (the canvas is too large for this browser)');
  downloadBytes(blob, `${name}.png`);
}
