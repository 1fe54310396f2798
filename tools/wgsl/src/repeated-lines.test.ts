import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSources } from './embed-shaders.js';
import { repeatedLines } from './repeated-lines.js';

const block = 'let a = 1u;\nlet b = 2u;\nlet c = 3u;\nlet d = 4u;\nlet e = 5u;\n';

describe('repeated lines', () => {
  it('stand in five or more that are found elsewhere, however they are indented or commented', () => {
    const indented = block.replaceAll('let', '  let').replace('2u;', '2u; // two\n');
    const { found, share } = repeatedLines({
      'a.wgsl': `${block}let f = 6u;\n`,
      'b.wgsl': `fn g() {\n${indented}}\n`,
    });
    expect(found).toHaveLength(10);
    expect(found[5]).toBe('b.wgsl:2: let a = 1u;');
    expect(share).toBe(10 / 13);
    expect(repeatedLines({ 'a.wgsl': block, 'b.wgsl': block.replace('let c', 'var c') }).found).toEqual([]);
  });

  it('are less than a tenth of the WGSL of packages/tensor: what shaders share is imported', () => {
    const source = fileURLToPath(new URL('../../../packages/tensor/src', import.meta.url));
    const { found, share } = repeatedLines(readSources(source));
    expect(share, found.join('\n')).toBeLessThan(0.1);
  });
});
