import { expect, it } from 'vitest';
import { readZip } from './read-zip.ts';
import { writeZip } from './write-zip.ts';
import { crc32 } from './zip-format.ts';

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
