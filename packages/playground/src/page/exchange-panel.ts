/** Opens and saves runs, copies a link, exports pictures. */
import { toLink } from '../configuration/link.ts';
import { downloadBytes, downloadPng, pictureName } from '../exchange/download.ts';
import { element } from './element.ts';
import type { Opening } from './opening.ts';
import type { Playground } from './playground.ts';
import { picturesOf } from './pictures.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';

export function exchangePanel(
  { get, set, draw }: Store<State>,
  playground: Playground,
  opening: Opening,
  canvases: readonly HTMLCanvasElement[],
): HTMLElement {
  const say = (text: string): void => set({ notice: { kind: 'news', text }, status: text });
  const attempt = (work: () => Promise<void>) => (): void => {
    work().catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      set({ notice: { kind: 'problem', text }, status: text });
    });
  };
  const button = (label: string, work: () => Promise<void>) =>
    element('button', { type: 'button', onclick: attempt(work) }, label);

  const place = element(
    'select',
    { 'aria-label': 'Open as', onchange: () => (opening.place = Number(place.value)) },
    element('option', { value: '0' }, 'as the model'),
    element('option', { value: '1' }, 'to compare'),
  );

  const saves = [0, 1].map((run) =>
    button('Save run', async () => {
      const { writeRun } = await import('../exchange/write-run.ts');
      const { name, zip } = await writeRun(get().runs[run], await playground.save(run));
      downloadBytes(zip, `${name}.zip`);
    }),
  );
  draw(['runs', 'phase'], ({ runs, phase }) => {
    for (const [run, each] of saves.entries()) {
      each.hidden = run > 0 && run >= runs.length;
      each.disabled = run >= runs.length || phase === 'preparing';
      each.textContent = runs.length > 1 ? `Save ${runs[run]?.config.model ?? ''}` : 'Save run';
    }
  });
  const forEachPicture = async (save: (run: number, name: string) => void | Promise<void>): Promise<void> => {
    for (let run = 0; run < get().configuration.runs.length; run++) await save(run, pictureName(get(), run));
  };

  const svg = button('SVG', async () => {
    const { downloadSvg } = await import('../exchange/download-svg.ts');
    await forEachPicture((run, name) => downloadSvg(get(), picturesOf(get())[run], name));
  });
  draw(['world'], ({ world }) => {
    svg.hidden = !world?.map;
  });

  return element(
    'section',
    { className: 'panel', 'aria-label': 'Exchange' },
    element('h2', {}, 'Exchange'),
    buttons(
      button('Open run', async () => opening.pickFile()),
      button('Open folder', async () => opening.pickFolder()),
      place,
    ),
    buttons(...saves),
    buttons(
      button('Copy link', async () => {
        // Only secure pages have a clipboard.
        const clipboard = navigator.clipboard as Clipboard | undefined;
        if (!clipboard) {
          say('The address of this page is the link.');
          return;
        }
        await clipboard.writeText(`${location.href.split('#')[0]}#${toLink(get().configuration)}`);
        say('The link is on the clipboard.');
      }),
      svg,
      button('PNG', () => forEachPicture((run, name) => downloadPng(canvases[run], get().theme, name))),
    ),
    ...opening.inputs,
  );
}

const buttons = (...children: HTMLElement[]): HTMLElement =>
  element('div', { className: 'buttons' }, ...children);
