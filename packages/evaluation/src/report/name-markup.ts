import { markup } from './markup.ts';
import type { Markup } from './markup.ts';

/** The name of a variant or of a run, which breaks before a `+` and behind a `,` or a `/`, and nowhere else: not within a number. */
export function nameMarkup(name: string): Markup {
  const pieces = name.split(/(?=\+)|(?<=[,/])/);
  if (pieces.length === 1) return markup`${name}`;
  return markup`<span class="variant">${pieces.map((piece, i) => markup`${i > 0 && markup`<wbr/>`}<span>${piece}</span>`)}</span>`;
}
