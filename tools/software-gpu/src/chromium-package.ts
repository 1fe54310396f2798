/** The files of the npm package `@sparticuz/chromium`, which it ships compressed, unpacked. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { extract, type ExtractOptions } from 'tar-fs';
import { unpackOnce } from './unpack-once.ts';

/** Raised by whoever changes what `unpack` leaves behind, so that folders of before are not used. */
const layout = 1;

/**
 * Starts Chromium with the libraries and fonts it came with. So none has to be installed, and a page looks the
 * same on every machine.
 */
const launcher = `#!/bin/sh
here=$(dirname "$0")
LD_LIBRARY_PATH="$here/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
FONTCONFIG_FILE="$here/fonts.conf"
export LD_LIBRARY_PATH FONTCONFIG_FILE
exec "$here/headless-shell" "$@"
`;

/** The one in the package names folders of Amazon's. */
const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;

/** Beside each other, for Chromium looks for SwiftShader in its own folder, and the driver's manifest in its. */
export interface ChromiumFiles {
  /** A shell script that starts Chromium. */
  readonly chromium: string;
  /** The folder of all of it; `libvulkan.so.1`, the Vulkan loader, is directly in it. */
  readonly folder: string;
  /** The manifest that tells a Vulkan loader of SwiftShader. */
  readonly swiftshaderManifest: string;
}

/** Unpacks the package on first use. */
export async function chromiumFiles(): Promise<ChromiumFiles> {
  const platform = `${process.platform} ${process.arch}`;
  if (platform !== 'linux x64') {
    throw new Error(
      `chromiumFiles: expected linux x64, got ${platform} (@sparticuz/chromium ships no other; ` +
        'for the browser tests, name an installed Chromium in FLOWGRAD_CHROMIUM)',
    );
  }
  // Its exports do not name package.json, so go by the way from its entry, build/cjs/index.cjs.
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const root = join(dirname(entry), '../..');
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const folder = await unpackOnce(`chromium-${version}-${layout}`, (target) =>
    unpack(join(root, 'bin'), target),
  );
  return {
    chromium: join(folder, 'chromium'),
    folder,
    swiftshaderManifest: join(folder, 'vk_swiftshader_icd.json'),
  };
}

async function unpack(from: string, to: string): Promise<void> {
  const into = (archive: string, target: NodeJS.WritableStream): Promise<void> =>
    pipeline(createReadStream(join(from, archive)), createBrotliDecompress({ chunkSize: 2 ** 20 }), target);
  // Else root would give the files to users of the machine that packed them. Its types do not know of it.
  const options: ExtractOptions & { chown: boolean } = { chown: false };
  const files = () => extract(to, options);
  await Promise.all([
    into('chromium.br', createWriteStream(join(to, 'headless-shell'), { mode: 0o755 })),
    into('swiftshader.tar.br', files()),
    // Made for Amazon Linux 2023: NSS and Expat, which Chromium needs and a slim Linux lacks.
    into('al2023.tar.br', files()),
    into('fonts.tar.br', files()),
    // Chromium would make it, closed to others.
    mkdir(join(to, 'locales')),
  ]);
  await writeFile(join(to, 'fonts.conf'), fontSettings);
  await writeFile(join(to, 'chromium'), launcher, { mode: 0o755 });
}
