export type { ThreadedWasmOptions, WasmOptions } from '../backends/wasm/open.ts';
export type { WasmBackend } from '../backends/wasm/wasm-backend.ts';
export { openWasm } from './open-wasm.ts';
export { openDevice, openWebGpu } from './open-webgpu.ts';
