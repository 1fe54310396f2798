/** Files that a person picks or drops: runs, and datasets. */
import type { OpenedFile } from '../exchange/opened-file.ts';
import { readLimits } from '../exchange/read-limits.ts';
import { element } from './element.ts';
import type { Playground } from './playground.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';

export interface Opening {
  /** Hidden inputs, which have to be somewhere on the page. */
  readonly inputs: readonly HTMLElement[];
  pickFile(this: void): void;
  pickFolder(this: void): void;
  /** Whether a run comes in place of the model, 0, or beside it, 1. */
  place: number;
}

export function createOpening({ set }: Store<State>, playground: Playground): Opening {
  const say = (text: string): void => set({ notice: { kind: 'news', text }, status: text });
  const attempt = (work: () => Promise<void>): void => {
    work().catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      set({ notice: { kind: 'problem', text }, status: text });
    });
  };

  const open = async (files: readonly OpenedFile[]): Promise<void> => {
    if (files.length === 0) return;
    // Loaded when it is asked for: most visits open and save nothing.
    const { readOpened } = await import('../exchange/read-opened.ts');
    const opened = await readOpened(files);
    if (opened.kind === 'data') {
      await playground.openData(opened.files);
      return;
    }
    await playground.whenOpen(async () => {
      await playground.open(opened, made.place);
      const { model } = opened.config;
      say(
        opened.stored.adam
          ? `Opened ${model} with its optimiser: training goes on where it was.`
          : `Opened the parameters of ${model}; an optimiser starts anew.`,
      );
    });
  };

  const picker = (kind: 'file' | 'folder'): HTMLInputElement => {
    const input = element('input', { type: 'file', hidden: true, 'data-open': kind });
    if (kind === 'folder') input.webkitdirectory = true;
    else input.accept = '.zip,.safetensors';
    input.onchange = () => {
      const files = Array.from(input.files ?? [], (file) => openedFile(file, file.webkitRelativePath));
      input.value = '';
      attempt(() => open(files));
    };
    return input;
  };
  const [file, folder] = [picker('file'), picker('folder')];

  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    // What was dropped is gone after the event. A folder is an entry alone; what a program dropped is a file alone.
    const items = Array.from(event.dataTransfer?.items ?? []);
    const dropped = items.map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
    attempt(async () => open((await Promise.all(dropped.map(filesIn))).flat()));
  });

  const made: Opening = {
    inputs: [file, folder],
    pickFile: () => file.click(),
    pickFolder: () => folder.click(),
    place: 0,
  };
  return made;
}

const openedFile = (file: File, path: string): OpenedFile => ({
  path: path || file.name,
  size: file.size,
  bytes: async () => new Uint8Array(await file.arrayBuffer()),
});

/** A dropped file, or all files of a dropped folder. */
async function filesIn(entry: FileSystemEntry | File | null): Promise<OpenedFile[]> {
  if (!entry) return [];
  if (entry instanceof File) return [openedFile(entry, '')];
  const path = entry.fullPath.replace(/^[/]/, '');
  if (entry.isFile) {
    const file = await new Promise<File>((...ends) => (entry as FileSystemFileEntry).file(...ends));
    return [openedFile(file, path)];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: OpenedFile[] = [];
  // Entries come in parts; an empty one is the last.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((...ends) => reader.readEntries(...ends));
    if (part.length === 0) return found;
    for (const each of part) found.push(...(await filesIn(each)));
    if (found.length > readLimits.files) {
      throw new Error(`open: expected at most ${readLimits.files} files in ${path}, got more`);
    }
  }
}
