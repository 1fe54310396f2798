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
  readonly crossOriginIsolated?: boolean;
}

const globals = globalThis as unknown as Globals;

export const webAssembly = globals.WebAssembly;

export function decodeHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2);
  // '0' … '9' are 48 … 57, 'a' … 'f' 97 … 102.
  const digit = (at: number): number => {
    const code = hex.charCodeAt(at);
    return code - (code < 97 ? 48 : 87);
  };
  for (let i = 0; i < bytes.length; i++) bytes[i] = 16 * digit(2 * i) + digit(2 * i + 1);
  return bytes;
}

/** Whether memory can be shared with other threads: everywhere in Node, in a page only if it is cross-origin isolated. */
export function canShareMemory(): boolean {
  return typeof SharedArrayBuffer === 'function' && globals.crossOriginIsolated !== false;
}

export const pageBytes = 65536;
