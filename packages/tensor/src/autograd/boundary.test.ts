import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const source = new URL('..', import.meta.url);

/** What the files of a folder import from other folders, tests and cases aside. */
function importsOf(folder: string): string[] {
  const files = readdirSync(new URL(`${folder}/`, source)).filter(
    (file) => /\.ts$/.test(file) && !/\.(test|test-d|cases|mistakes)\.ts$/.test(file),
  );
  return files.flatMap((file) => {
    const text = readFileSync(new URL(`${folder}/${file}`, source), 'utf8');
    return Array.from(text.matchAll(/from '\.\.\/(\w+)\//g), ([, other]) => `${file} imports ${other}`);
  });
}

describe('the folders of the engine', () => {
  it('core knows neither tapes nor ops nor backends', () => {
    expect(importsOf('core').filter((line) => /imports (autograd|ops|backends)$/.test(line))).toEqual([]);
  });

  it('autograd knows core alone, and no particular op', () => {
    expect(importsOf('autograd').filter((line) => !line.endsWith('imports core'))).toEqual([]);
    expect(importsOf('autograd')).not.toEqual([]);
  });
});
