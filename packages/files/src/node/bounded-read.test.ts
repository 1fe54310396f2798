import { execFileSync } from 'node:child_process';
import { mkdtemp, open, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readIfThere, readLimits } from './bounded-read.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'flowgrad-read-'));
});
afterEach(() => rm(root, { recursive: true }));

/** A file of that size that takes no room on the disk. */
async function hollowFile(name: string, size: number): Promise<string> {
  const path = join(root, name);
  const file = await open(path, 'wx');
  await file.truncate(size);
  await file.close();
  return path;
}

it('reads a file whole, and nothing where there is none', async () => {
  await writeFile(join(root, 'a.json'), 'text');
  expect(Buffer.from((await readIfThere(join(root, 'a.json')))!).toString()).toBe('text');
  expect(await readIfThere(join(root, 'b.json'))).toBeUndefined();
});

it.each([
  ['config.json', readLimits.json],
  ['metrics.jsonl', readLimits.jsonLines],
  ['graph.txt', readLimits.text],
  ['parameters.safetensors', readLimits.safetensors],
])('refuses a %s of more than %i bytes before it reads one', async (name, limit) => {
  const path = await hollowFile(name, limit + 1);
  const before = process.memoryUsage().arrayBuffers;
  await expect(readIfThere(path)).rejects.toThrow(
    `read: expected at most ${limit} bytes in ${path}, got ${limit + 1}`,
  );
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
});

it('what is no file, or lies below one, is an error and not absent', async () => {
  await writeFile(join(root, 'file'), '');
  await expect(readIfThere(join(root, 'file', 'a.json'))).rejects.toThrow('ENOTDIR');
  await symlink('loop.json', join(root, 'loop.json'));
  await expect(readIfThere(join(root, 'loop.json'))).rejects.toThrow(
    `read: expected to open ${join(root, 'loop.json')}, got ELOOP`,
  );
  await expect(readIfThere(root)).rejects.toThrow(`read: expected a file at ${root}, got something else`);
});

it.runIf(process.platform !== 'win32')('does not wait at a pipe', async () => {
  const path = join(root, 'pipe.json');
  execFileSync('mkfifo', [path]);
  await expect(readIfThere(path)).rejects.toThrow('got something else');
});
