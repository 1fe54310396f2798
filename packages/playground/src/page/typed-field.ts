/** A field into which a value is typed: it takes what its setting allows, and says what that is while the text is something else. */
import { fromText, holds, rangeOf, toText, wanted } from '@flowgrad/schema';
import type { Field as Setting } from '@flowgrad/schema';
import { pageLimits } from '../configuration/link.ts';
import { element } from './element.ts';
import type { Field, SettingFieldOptions } from './fields.ts';
import { wrongNote } from './wrong-fields.ts';

interface TypedFieldOptions extends SettingFieldOptions {
  /** Of the setting, which no other field of the page has. */
  readonly name: string;
  readonly setting: Setting;
  readonly label: string;
  /** What it means, for a tooltip. */
  readonly title: string;
}

/** The field keeps a wrong text until it is corrected, or until the page has another value than the one that the text replaced. */
export function typedField(options: TypedFieldOptions): Field<unknown> & { drop(this: void): void } {
  const { name, label, title, isOptional, onChange, onWrong } = options;
  const setting = withinPage(name, options.setting);
  const isList = setting.kind === 'numbers';
  const input = isList
    ? element('input', { type: 'text', spellcheck: false, autocomplete: 'off' })
    : numberInput(setting);
  const note = wrongNote(`wrong-${name}`, input);
  const expected = `expected ${wanted(setting).replace(/^to be /, '')}${isOptional ? ' or nothing' : ''}`;
  const textOf = (value: unknown): string => (value === undefined ? '' : toText(value).replaceAll(',', ', '));
  /** Of the value that the page has. */
  let shown = '';
  let isWrong = false;

  /** Undefined where the text stands for no value that the setting can have. */
  const read = (): { readonly value: unknown } | undefined => {
    // A number that cannot be read has an empty text, too.
    if (input.value === '' && isOptional && !input.validity.badInput) return { value: undefined };
    const value = fromText(setting, input.value);
    return holds(setting, value) ? { value } : undefined;
  };
  const setWrong = (next: boolean): void => {
    if (!next && !isWrong) return;
    isWrong = next;
    note.say(next ? `Expected${expected.slice('expected'.length)}` : '');
    onWrong(next ? `${label}: ${expected}, got ${input.value || 'none'}` : undefined);
  };
  const reset = (): void => {
    setWrong(false);
    input.value = shown;
  };
  input.onchange = () => {
    const right = read();
    setWrong(!right);
    if (!right || input.value === shown) return;
    shown = input.value;
    onChange(right.value);
  };
  // Of a text that is being typed nothing is said before it is finished, unless it was wrong already.
  input.oninput = () => {
    if (isWrong) setWrong(!read());
  };
  input.onblur = () => {
    if (!isWrong) input.value = shown;
  };
  return {
    element: element(
      'div',
      { className: 'field', title: isList ? `${title}, with commas between` : title },
      element('label', {}, element('span', {}, label), input),
      note.element,
    ),
    show: (value) => {
      const text = textOf(value);
      if (isWrong && text === shown) return;
      shown = text;
      if (document.activeElement === input) setWrong(false);
      else reset();
    },
    drop: reset,
  };
}

/** The setting with the page's own limit, which is lower than that of a run. */
function withinPage(name: string, setting: Setting): Setting {
  const most = pageLimits[name];
  return most === undefined || setting.kind !== 'integer' ? setting : { ...setting, most };
}

function numberInput(setting: Setting): HTMLInputElement {
  const [least, most] = rangeOf(setting);
  const isWhole = setting.kind === 'integer' || setting.kind === 'seed';
  return element('input', {
    type: 'number',
    min: String(least),
    max: Number.isFinite(most) ? String(most) : '',
    step: isWhole ? '1' : 'any',
    inputMode: isWhole ? 'numeric' : 'decimal',
  });
}
