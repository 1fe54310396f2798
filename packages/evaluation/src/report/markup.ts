import { escapeXml } from '@flowgrad/files';

/** Text that is markup already. Whatever else goes into `markup` is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** `false` and `undefined` leave nothing: `markup`<p>${isLate && 'late'}</p>``. */
export type Content = Markup | string | number | false | undefined | readonly Content[];

/** HTML or SVG with every value escaped: what comes from a file cannot become an element. */
export function markup(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(strings.reduce((text, part, i) => text + textOf(values[i - 1]) + part));
}

function textOf(content: Content): string {
  if (content instanceof Markup) return content.text;
  if (content === undefined || content === false) return '';
  return typeof content === 'object' ? content.map(textOf).join('') : escapeXml(String(content));
}
