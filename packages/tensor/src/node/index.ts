export { openDevice, openWebGpu } from './open-webgpu.ts';
