export { servePlayground } from './serve-playground.ts';
export type { PlaygroundServer, ServeOptions } from './serve-playground.ts';
