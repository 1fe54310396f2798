/** The part of the WebAssembly interface that is used here, typed: sources for any environment have no DOM types. */

declare const opaque: unique symbol;

export interface WasmModule {
  readonly [opaque]: 'module';
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer | SharedArrayBuffer;
  /** Adds pages of 64 KiB; raises a RangeError if it cannot. */
  grow(pages: number): number;
}

export type WasmFunction = (...args: number[]) => void;

interface Namespace {
  readonly Memory: new (limits: { initial: number; maximum: number; shared: boolean }) => WasmMemory;
  compile(bytes: Uint8Array): Promise<WasmModule>;
  instantiate(
    module: WasmModule,
    imports: { readonly env: { readonly memory: WasmMemory } },
  ): Promise<{ readonly exports: Readonly<Partial<Record<string, WasmFunction>>> }>;
  validate(bytes: Uint8Array): boolean;
}

interface Globals {
  readonly WebAssembly: Namespace;
  atob(base64: string): string;
  readonly crossOriginIsolated?: boolean;
}

const globals = globalThis as unknown as Globals;

export const webAssembly = globals.WebAssembly;

export function decodeBase64(base64: string): Uint8Array {
  const characters = globals.atob(base64);
  const bytes = new Uint8Array(characters.length);
  // A third of the time that Uint8Array.from takes, when a backend is opened.
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/** Whether memory can be shared with other threads: everywhere in Node, in a page only if it is cross-origin isolated. */
export function canShareMemory(): boolean {
  return typeof SharedArrayBuffer === 'function' && globals.crossOriginIsolated !== false;
}

export const pageBytes = 65536;
