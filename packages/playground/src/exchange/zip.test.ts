import { crc32 as crc32OfNode, deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readLimits } from './read-limits.ts';
import { readZip } from './read-zip.ts';
import { writeZip } from './write-zip.ts';
import { centralHeader, crc32, endOfDirectory } from './zip-format.ts';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const contents = async (zip: Uint8Array<ArrayBuffer>): Promise<[string, string][]> =>
  Promise.all(
    readZip('a.zip', zip).map(async ({ path, bytes }): Promise<[string, string]> => [
      path,
      text(await bytes()),
    ]),
  );

/** Of Python's zipfile: a folder, a file that is deflated, one that is stored, and a comment. */
const ofPython = Uint8Array.from(
  atob(
    [
      'UEsDBBQAAAAIAHdtcF0AAAAAAgAAAAAAAAAEAAAAcnVuLwMAUEsDBBQAAAAIAHdtcF1otx5ICwAAAEgAAAAJAAAAcnVuL2Eu',
      'dHh0y0jNyclXyKCYBABQSwMEFAAACAAAd21wXT6NBA4CAAAAAgAAAAoAAABydW4vw7wudHh0w6lQSwECFAMUAAAACAB3bXBd',
      'AAAAAAIAAAAAAAAABAAAAAAAAAAAABAA/UEAAAAAcnVuL1BLAQIUAxQAAAAIAHdtcF1otx5ICwAAAEgAAAAJAAAAAAAAAAAA',
      'AACAASQAAABydW4vYS50eHRQSwECFAMUAAAIAAB3bXBdPo0EDgIAAAACAAAACgAAAAAAAAAAAAAAgAFWAAAAcnVuL8O8LnR4',
      'dFBLBQYAAAAAAwADAKEAAACAAAAACQBhIGNvbW1lbnQ=',
    ].join(''),
  ),
  (letter) => letter.charCodeAt(0),
);

it('the checksum is that of the format', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
});

it('what was written is read again', async () => {
  const files = { 'run/config.json': '{}', 'run/empty': new Uint8Array(), 'run/ü/σ.txt': 'é'.repeat(1000) };
  expect(await contents(writeZip(files))).toEqual([
    ['run/config.json', '{}'],
    ['run/empty', ''],
    ['run/ü/σ.txt', 'é'.repeat(1000)],
  ]);
  expect(await contents(writeZip({}))).toEqual([]);
});

it('what another program has packed is read, without its folders', async () => {
  expect(await contents(ofPython)).toEqual([
    ['run/a.txt', 'hello '.repeat(12)],
    ['run/ü.txt', 'é'],
  ]);
});

it('what is no zip file, or a damaged one, is said', async () => {
  expect(() => readZip('a.zip', new Uint8Array(9))).toThrow(
    'open: expected a zip file, got a.zip without a directory of its files',
  );
  const zip = writeZip({ 'a.txt': 'hello' });
  const changed = Uint8Array.from(zip, (byte) => (byte === 'h'.charCodeAt(0) ? 'j'.charCodeAt(0) : byte));
  await expect(contents(changed)).rejects.toThrow(
    'open: expected a zip file, got a.zip with a damaged a.txt (save or download it again)',
  );
  expect(() => readZip('a.zip', zip.slice(10))).toThrow(
    'open: expected a zip file, got a.zip that is damaged (save or download it again)',
  );
  const damaged = ofPython.slice();
  damaged.fill(0xff, 75, 80);
  await expect(contents(damaged)).rejects.toThrow('a.zip with a damaged run/a.txt');
  const otherMethod = zip.slice();
  const directory = otherMethod.lastIndexOf('P'.charCodeAt(0), otherMethod.length - 23);
  otherMethod[directory + 10] = 14;
  expect(() => readZip('a.zip', otherMethod)).toThrow('with a.txt packed by method 14');
});

/** Files packed by deflate, with sizes in the directory as they are or as claimed. */
function deflated(files: Readonly<Record<string, Uint8Array>>, claimed?: number): Uint8Array<ArrayBuffer> {
  const packed = Object.entries(files).map(([name, bytes]) => [name, deflateRawSync(bytes)] as const);
  const zip = writeZip(Object.fromEntries(packed));
  const view = new DataView(zip.buffer);
  let at = view.getUint32(zip.length - endOfDirectory.length + 16, true);
  for (const [name, bytes] of Object.entries(files)) {
    view.setUint16(at + 10, 8, true);
    view.setUint32(at + 16, crc32OfNode(bytes), true);
    view.setUint32(at + 24, claimed ?? bytes.length, true);
    at += centralHeader.length + name.length;
  }
  return zip;
}

describe('a zip file that asks for much', () => {
  /** 100 MB of zeros in 100 KB. */
  const bomb = { 'run/config.json': new Uint8Array(100_000_000) };

  it('is read where it is packed well and within the limits', async () => {
    expect(await contents(deflated({ a: new Uint8Array(1000) }))).toEqual([['a', '\0'.repeat(1000)]]);
  });

  it('is refused by the sizes in its directory, before anything is unpacked', () => {
    expect(() => readZip('a.zip', deflated({ a: new Uint8Array(9) }, readLimits.fileBytes + 1))).toThrow(
      'open: expected a zip file, got a.zip with a of 257 MiB unpacked (at most 256 MiB are read)',
    );
    const parts = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`part ${i}`, new Uint8Array(9)]));
    expect(() => readZip('a.zip', deflated(parts, readLimits.fileBytes))).toThrow(
      'a.zip with 1280 MiB unpacked (at most 1024 MiB are read)',
    );
  });

  it('is unpacked no further than it says', async () => {
    const zip = deflated(bomb, 100);
    const started = process.cpuUsage().user;
    await expect(contents(zip)).rejects.toThrow('a.zip with a damaged run/config.json');
    // To unpack all of it takes 200 ms and more.
    expect(process.cpuUsage().user - started).toBeLessThan(100_000);
    await expect(contents(deflated({ a: new Uint8Array(9) }, 10))).rejects.toThrow('with a damaged a');
  });

  it('is refused for its count of files', () => {
    const files = Array.from({ length: readLimits.files + 1 }, (_, i) => [`f${i}`, ''] as const);
    expect(() => readZip('a.zip', writeZip(Object.fromEntries(files)))).toThrow(
      'a.zip with 10001 files (at most 10000 are opened)',
    );
    expect(readZip('a.zip', writeZip(Object.fromEntries(files.slice(1))))).toHaveLength(readLimits.files);
  });

  it('is refused for its names', () => {
    const named = (name: string) => () => readZip('a.zip', writeZip({ [name]: '' }));
    expect(named('n'.repeat(1025))).toThrow('a.zip with a name of 1025 bytes (at most 1024 are read)');
    for (const name of ['../a', 'a/../b', '/a', 'a\\b', 'a\nb', 'a/./b', '..', '']) {
      expect(named(name), name).toThrow(
        `a.zip with a file named ${JSON.stringify(name)} (expected a path inside the folder)`,
      );
    }
    expect(named('run/..a/b..c/.d')).not.toThrow();
    const twice = writeZip({ a1: '', a2: '' });
    twice[twice.lastIndexOf('2'.charCodeAt(0))] = '1'.charCodeAt(0);
    expect(() => readZip('a.zip', twice)).toThrow('a.zip with a1 twice');
  });
});
