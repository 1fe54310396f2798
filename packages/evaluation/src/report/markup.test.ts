import { expect, it } from 'vitest';
import { markup } from './markup.ts';

it('escapes every value, and markup only once', () => {
  const inner = markup`<b title="${'"'}">${'<i> & co'}</b>`;
  expect(inner.text).toBe('<b title="&quot;">&lt;i&gt; &amp; co</b>');
  expect(markup`<p>${inner}</p>`.text).toBe(`<p>${inner.text}</p>`);
});

it('joins lists, and leaves out what is not there', () => {
  expect(markup`${['a', [1, markup`<br/>`]]}|${undefined}${false}|${0}`.text).toBe('a1<br/>||0');
});
