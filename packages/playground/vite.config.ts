import { defineConfig } from 'vite';
import { isolatingHeaders } from './src/node/isolating-headers.ts';

export default defineConfig({
  // Relative addresses: the page may lie in any folder of any static host.
  base: './',
  build: { outDir: 'dist/page', emptyOutDir: true, target: 'es2022', modulePreload: false },
  worker: { format: 'es' },
  server: { host: '127.0.0.1', headers: isolatingHeaders },
});
