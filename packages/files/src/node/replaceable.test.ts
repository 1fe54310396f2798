import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectReplaceable } from './replaceable.ts';
import type { FileKind } from './replaceable.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replaceable-'));
});
afterAll(() => rm(folder, { recursive: true }));

const letters: FileKind = {
  where: 'write',
  what: 'a letter',
  isOne: ([first]) => first === 'D'.charCodeAt(0),
};
const expectLetter = (name: string): Promise<void> => expectReplaceable(join(folder, name), letters);

it('a name that is free may be written to, and so may a file of the same kind', async () => {
  await writeFile(join(folder, 'letter.txt'), 'Dear reader');
  await expect(expectLetter('letter.txt')).resolves.toBeUndefined();
  await expect(expectLetter('new.txt')).resolves.toBeUndefined();
});

it('what is of another kind is not replaced', async () => {
  await writeFile(join(folder, 'notes.txt'), 'my notes');
  await writeFile(join(folder, 'empty.txt'), '');
  await mkdir(join(folder, 'drawer'));
  await symlink(join(folder, 'letter.txt'), join(folder, 'link.txt'));
  for (const [name, got] of [
    ['notes.txt', 'another file'],
    ['empty.txt', 'another file'],
    ['drawer', 'a folder'],
    ['link.txt', 'what is no ordinary file'],
  ]) {
    await expect(expectLetter(name)).rejects.toThrow(
      `write: expected no file at ${join(folder, name)}, or a letter to replace, got ${got} (choose another name, or move it away)`,
    );
  }
});
