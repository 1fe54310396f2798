import { tinyWorld } from './run-captured.ts';

/** One thread, so that tests may run beside each other. */
export const onWasm = ['--device', 'wasm', '--threads', '1'];

/** The words of a training run of a second. */
export const trainWords = (folder: string, model = 'GGNN-MulMlp'): string[] => [
  ...['train', '--group', tinyWorld, '--model', model, '--epochs', '2', ...onWasm, '--out', folder],
];
