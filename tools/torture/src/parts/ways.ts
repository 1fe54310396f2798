/** The ways in which a file of a run is damaged. */
import { mkdir, readFile, rm, symlink, truncate, unlink, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Random } from '../random.ts';

export interface Way {
  readonly name: string;
  /** Which files it is for, by their base name: all unless given. */
  readonly of?: RegExp;
  /** In which files it leaves what could as well be true, so that only a checksum tells: none unless given. */
  readonly isPlausibleIn?: RegExp;
  damage(path: string, random: Random): Promise<void>;
}

const json = /\.jsonl?$/;
const lines = /\.jsonl$/;

/** A way that turns the content of a file into another. */
const edit = (
  name: string,
  change: (bytes: Buffer, random: Random) => string | Buffer,
  of?: RegExp,
): Way => ({
  name,
  ...(of && { of }),
  damage: async (path, random) => writeFile(path, change(await readFile(path), random)),
});

const plausible = (way: Way, where = /./): Way => ({ ...way, isPlausibleIn: where });

function flipBit(bytes: Buffer, random: Random, from: number, to: number): Buffer {
  const at = from + random.below(Math.max(1, to - from));
  const changed = Buffer.from(bytes);
  changed[at] ^= 1 << random.below(8);
  return changed;
}

/** Where the numbers of a safetensors file begin. */
const dataAt = (bytes: Buffer): number => 8 + Number(bytes.readBigUInt64LE());

export const ways: readonly Way[] = [
  plausible({ name: 'gone', damage: (path) => rm(path) }, /^summary\.json$/),
  edit('emptied', () => ''),
  edit('cut in half', (bytes) => bytes.subarray(0, bytes.length >> 1)),
  plausible(
    edit('without its last byte', (bytes) => bytes.subarray(0, -1)),
    json,
  ),
  edit('without its last line', (bytes) => bytes.toString().replace(/[^\n]*\n$/, ''), json),
  plausible(edit('one bit flipped', (bytes, random) => flipBit(bytes, random, 0, bytes.length))),
  plausible(
    edit(
      'one bit of its numbers flipped',
      (bytes, random) => flipBit(bytes, random, dataAt(bytes), bytes.length),
      /\.safetensors$/,
    ),
  ),
  plausible(
    edit(
      'one bit of its header flipped',
      (bytes, random) => flipBit(bytes, random, 0, dataAt(bytes)),
      /\.safetensors$/,
    ),
  ),
  edit('{}', () => '{}', json),
  edit('[]', () => '[]', json),
  edit('null', () => 'null', json),
  edit('a null line', (bytes) => `${bytes.toString()}null\n`, lines),
  edit('null lines only', () => 'null\nnull\n', lines),
  edit('a line of an empty object', (bytes) => `${bytes.toString()}{}\n`, lines),
  edit('a damaged line', (bytes) => bytes.toString().replace(/\n/, '\n{"epoch":2,"los\n'), lines),
  edit('its last line twice', (bytes) => bytes.toString().replace(/([^\n]*\n)$/, '$1$1'), lines),
  edit('epoch 999', () => '{"epoch":999,"losses":[]}', /^position\.json$/),
  edit('losses of nothing', () => '{"epoch":1,"losses":["x",null]}', /^position\.json$/),
  edit('bytes that are no text', () => Buffer.of(0xff, 0xfe, 0x00, 0x80), json),
  { name: 'huge', damage: (path) => truncate(path, 1.5 * 2 ** 30) },
  {
    name: 'a folder',
    damage: async (path) => {
      await unlink(path);
      await mkdir(path);
    },
  },
  {
    // Reading it is an error that is no absence, also for a user who may read everything.
    name: 'a link to itself',
    damage: async (path) => {
      await unlink(path);
      await symlink(basename(path), path);
    },
  },
];

/** The ways in which a folder of a run is damaged. */
export const folderWays: readonly Way[] = [
  { name: 'gone', damage: (path) => rm(path, { recursive: true }) },
  {
    name: 'emptied',
    damage: async (path) => {
      await rm(path, { recursive: true });
      await mkdir(path);
    },
  },
  {
    name: 'a file',
    damage: async (path) => {
      await rm(path, { recursive: true });
      await writeFile(path, '');
    },
  },
  {
    name: 'a link to itself',
    damage: async (path) => {
      await rm(path, { recursive: true });
      await symlink(basename(path), path);
    },
  },
];
