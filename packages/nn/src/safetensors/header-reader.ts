/**
 * Reads the JSON of a header, and only the JSON that a header may have: no nesting beyond it, whole numbers, no key
 * twice. `JSON.parse` would let the last of two equal keys win and build whatever a file asks for.
 */
import { SafetensorsError, showName } from './safetensors-error.ts';
import { nameProblem } from './stored-tensor.ts';

/** The most tensors, and the most pieces of metadata, read or written. Large models have thousands. */
export const maxKeys = 65_536;

/** The most extents of a shape read or written. */
export const maxRank = 64;

export class HeaderReader {
  readonly #where: string;
  readonly #text: string;
  #at = 0;
  /** Named in errors while its entry is read. */
  tensor: string | undefined = undefined;

  constructor(where: string, text: string) {
    this.#where = where;
    this.#text = text;
  }

  /** `{"key": value, …}`; `readValue` reads what stands after each key. */
  object(readValue: (key: string) => void): void {
    const keys = new Set<string>();
    this.#list('{', '}', maxKeys, () => {
      const key = this.string();
      const problem = keys.has(key) ? `key ${showName(key)} once, got it twice` : nameProblem(key);
      if (problem !== undefined) this.#fail(`expected ${problem}`);
      keys.add(key);
      this.#take(':');
      readValue(key);
    });
  }

  /** `[0, 8, …]` */
  wholeNumbers(): number[] {
    const numbers: number[] = [];
    this.#list('[', ']', maxRank, () => numbers.push(this.#wholeNumber()));
    return numbers;
  }

  string(): string {
    this.#skipSpace();
    const start = this.#at;
    if (this.#text[start] !== '"') this.#unexpected('a string');
    let end = start + 1;
    while (end < this.#text.length && this.#text[end] !== '"') end += this.#text[end] === '\\' ? 2 : 1;
    this.#at = end + 1;
    try {
      return JSON.parse(this.#text.slice(start, end + 1)) as string;
    } catch {
      return this.#fail(
        `expected a JSON string at character ${start}, got one that is broken off or has bad escapes`,
      );
    }
  }

  /** Nothing but space may follow. */
  end(): void {
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#unexpected('the end of the header');
  }

  #wholeNumber(): number {
    this.#skipSpace();
    const token = /[-+.\w]{0,40}/y;
    token.lastIndex = this.#at;
    const [written] = token.exec(this.#text)!;
    const value = Number(written);
    if (!/^(0|[1-9]\d*)$/.test(written) || !Number.isSafeInteger(value)) {
      const got = written === '' ? this.#next() : written;
      this.#fail(`expected a whole number from 0 to 2⁵³ − 1, got ${got} at character ${this.#at}`);
    }
    this.#at += written.length;
    return value;
  }

  #list(open: string, close: string, most: number, readItem: () => void): void {
    this.#take(open);
    if (this.#skip(close)) return;
    let count = 0;
    do {
      if (count === most) this.#fail(`expected at most ${most} entries in ${open}${close}, got more`);
      readItem();
      count += 1;
    } while (this.#skip(','));
    this.#take(close);
  }

  #take(character: string): void {
    if (!this.#skip(character)) this.#unexpected(`'${character}'`);
  }

  #skip(character: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #skipSpace(): void {
    while (' \n\r\t'.includes(this.#text[this.#at] ?? 'end')) this.#at += 1;
  }

  #next(): string {
    const next = this.#text[this.#at];
    return next === undefined ? 'the end of the header' : showName(next);
  }

  #unexpected(wanted: string): never {
    return this.#fail(`expected ${wanted} at character ${this.#at} of the header, got ${this.#next()}`);
  }

  #fail(message: string): never {
    throw new SafetensorsError(this.#where, message, this.tensor);
  }
}
