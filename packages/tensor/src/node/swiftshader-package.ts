/** The SwiftShader inside @sparticuz/chromium: a compressed archive, unpacked once. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { findPackage } from './find-package.ts';
import { privateFolder } from './private-folder.ts';

const packageName = '@sparticuz/chromium';

/** The folder with the driver, its manifest and a Vulkan loader; undefined, and the reason in `tried`, if there is none. */
export function unpackedSwiftShader(tried: string[]): string | undefined {
  const folder = findPackage(packageName);
  const archive = join(folder ?? '', 'bin/swiftshader.tar.br');
  if (folder === undefined || !existsSync(archive) || process.arch !== 'x64') {
    tried.push(`SwiftShader of ${packageName}: not installed for ${process.platform}-${process.arch}`);
    return undefined;
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return privateFolder(`flowgrad-swiftshader-${version}`, (target) => {
    for (const { name, content } of filesOfTar(brotliDecompressSync(readFileSync(archive)))) {
      if (!/^[\w.-]+$/.test(name)) continue;
      writeFileSync(join(target, name), content, { mode: 0o755 });
    }
  });
}

/** The regular files of an uncompressed tar: a header of 512 bytes, then the content, padded to the next 512. */
function* filesOfTar(tar: Uint8Array): Generator<{ readonly name: string; readonly content: Uint8Array }> {
  const text = (start: number, length: number): string =>
    Buffer.from(tar.subarray(start, start + length))
      .toString('latin1')
      .replace(/\0.*$/s, '');
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0;) {
    const size = parseInt(text(at + 124, 12), 8);
    const kind = text(at + 156, 1);
    if (kind === '0' || kind === '') {
      yield { name: text(at, 100).replace(/^\.\//, ''), content: tar.subarray(at + 512, at + 512 + size) };
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
}
