import { expect, it } from 'vitest';
import { escapeXml } from './escape-xml.ts';

it('replaces what XML cannot hold', () => {
  expect(escapeXml('a\u0000b\u001fc\ud800d\uffff😀')).toBe('a\ufffdb\ufffdc\ufffdd\ufffd😀');
  expect(escapeXml('\t\r\n')).toBe('&#9;&#13;&#10;');
});

it('escapes what elements and attributes give a meaning', () => {
  expect(escapeXml(`<a href="b" c='d'>&amp;</a>`)).toBe(
    '&lt;a href=&quot;b&quot; c=&apos;d&apos;&gt;&amp;amp;&lt;/a&gt;',
  );
});
