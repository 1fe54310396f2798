/** Opens and saves runs, copies a link, exports pictures. */
import { toLink } from '../configuration/link.ts';
import { downloadBytes, downloadPng, downloadSvg, pictureName } from '../exchange/download.ts';
import type { OpenedFile } from '../exchange/read-run.ts';
import { element } from './element.ts';
import type { Playground } from './playground.ts';
import { picturesOf } from './pictures.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';

export function exchangePanel(
  { get, set, draw }: Store<State>,
  playground: Playground,
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

  const open = async (files: readonly OpenedFile[]): Promise<void> => {
    // Loaded when it is asked for: most visits open and save nothing.
    const { readRun } = await import('../exchange/read-run.ts');
    const opened = await readRun(files);
    await playground.open(opened, Number(place.value));
    const { model } = opened.config;
    say(
      opened.stored.adam
        ? `Opened ${model} with its optimiser: training goes on where it was.`
        : `Opened the parameters of ${model}; an optimiser starts anew.`,
    );
  };
  const place = element(
    'select',
    { 'aria-label': 'Open as' },
    element('option', { value: '0' }, 'as the model'),
    element('option', { value: '1' }, 'to compare'),
  );
  const picker = (isFolder: boolean): HTMLInputElement => {
    const input = element('input', { type: 'file', hidden: true, 'data-open': isFolder ? 'folder' : 'file' });
    if (isFolder) input.webkitdirectory = true;
    else input.accept = '.zip,.safetensors';
    input.onchange = attempt(async () => {
      const files = openedFiles(Array.from(input.files ?? []));
      input.value = '';
      if (files.length > 0) await open(files);
    });
    return input;
  };
  const [file, folder] = [picker(false), picker(true)];

  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    const files = openedFiles(Array.from(event.dataTransfer?.files ?? []));
    if (files.length > 0) attempt(() => open(files))();
  });

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

  return element(
    'section',
    { className: 'panel', 'aria-label': 'Exchange' },
    element('h2', {}, 'Exchange'),
    buttons(
      button('Open run', async () => file.click()),
      button('Open folder', async () => folder.click()),
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
      button('SVG', () =>
        forEachPicture((run, name) => downloadSvg(get(), run, picturesOf(get())[run], name)),
      ),
      button('PNG', () => forEachPicture((run, name) => downloadPng(canvases[run], get().theme, name))),
    ),
    file,
    folder,
  );
}

const buttons = (...children: HTMLElement[]): HTMLElement =>
  element('div', { className: 'buttons' }, ...children);

function openedFiles(files: readonly File[]): OpenedFile[] {
  return files.map((file) => ({
    path: file.webkitRelativePath || file.name,
    size: file.size,
    bytes: async () => new Uint8Array(await file.arrayBuffer()),
  }));
}
