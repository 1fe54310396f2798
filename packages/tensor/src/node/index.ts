export { mostThreads } from '../backends/wasm/open.ts';
export type { ThreadedWasmOptions, WasmOptions } from '../backends/wasm/open.ts';
export type { WasmBackend } from '../backends/wasm/wasm-backend.ts';
export { openWasm } from './open-wasm.ts';
export { openDevice, openWebGpu } from './open-webgpu.ts';
export type { DeviceName, OpenBackend, OpenBackendOptions } from '../backends/open-backend.ts';
export { openBackend } from './open-backend.ts';
export { openWatchdog } from './watchdog.ts';
export type { Watchdog, WatchdogOptions } from './watchdog.ts';
