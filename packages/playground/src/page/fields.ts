/** Labelled controls. Each returns its element and a way to show a value. */
import { fromText, labelOf, rangeOf, toText } from '@flowgrad/schema';
import type { Fields, Field as Setting, ValueOf } from '@flowgrad/schema';
import { pageLimits } from '../configuration/link.ts';
import { element } from './element.ts';

export interface Field<Value> {
  readonly element: HTMLElement;
  show(this: void, value: Value): void;
}

interface NumberFieldOptions {
  readonly label: string;
  /** What it means, for a tooltip. */
  readonly title?: string;
  readonly min: number;
  readonly max: number;
  readonly step: number | 'any';
  readonly onChange: (value: number) => void;
}

export function numberField(options: NumberFieldOptions): Field<number> {
  const { label, title = '', min, max, step, onChange } = options;
  const input = element('input', {
    type: 'number',
    min: String(min),
    max: Number.isFinite(max) ? String(max) : '',
    step: String(step),
    inputMode: step === 'any' ? 'decimal' : 'numeric',
    required: true,
  });
  input.onchange = () => {
    if (input.reportValidity()) onChange(input.valueAsNumber);
  };
  return {
    element: element('label', { className: 'field', title }, element('span', {}, label), input),
    show: (value) => showValue(input, String(value)),
  };
}

export function textField(label: string, title: string, onChange: (value: string) => void): Field<string> {
  const input = element('input', { type: 'text', spellcheck: false, autocomplete: 'off' });
  input.onchange = () => onChange(input.value);
  return {
    element: element('label', { className: 'field', title }, element('span', {}, label), input),
    show: (value) => showValue(input, value),
  };
}

type Values<Settings> = { readonly [Name in keyof Settings]?: ValueOf<Settings[Name]> };

/** The controls of settings by name, and a way to show their values. */
export function settingFields<const Settings extends Fields>(
  settings: Settings,
  onChange: (changes: Values<Settings>) => void,
): {
  readonly elements: { readonly [Name in keyof Settings]: HTMLElement };
  show(this: void, values: Readonly<Record<string, unknown>>): void;
} {
  const fields = Object.entries(settings).map(([name, setting]) => {
    const change = (value: unknown): void => onChange({ [name]: value } as Values<Settings>);
    return { name, setting, ...settingField(name, setting, change) };
  });
  return {
    elements: Object.fromEntries(fields.map((field) => [field.name, field.element])) as {
      readonly [Name in keyof Settings]: HTMLElement;
    },
    show: (values) => {
      for (const { name, setting, show } of fields) show(values[name] ?? setting.default);
    },
  };
}

/** The control of a setting, as its entry says what it is. */
function settingField(name: string, setting: Setting, onChange: (value: unknown) => void): Field<unknown> {
  const label = labelOf(name, setting);
  const title = setting.about.charAt(0).toUpperCase() + setting.about.slice(1);
  const [min, most] = rangeOf(setting);
  switch (setting.kind) {
    case 'choice': {
      const choices = setting.choices.map((each, i) => [each, setting.labels?.[i] ?? each] as const);
      return selectField(label, choices, onChange, title);
    }
    case 'switch':
      return checkField(label, onChange);
    case 'numbers': {
      const field = textField(label, `${title}, with commas between`, (text) =>
        onChange(fromText(setting, text)),
      );
      return { ...field, show: (value) => field.show(toText(value).replaceAll(',', ', ')) };
    }
  }
  const step = setting.kind === 'integer' || setting.kind === 'seed' ? 1 : 'any';
  const options = { label, title, min, max: pageLimits[name] ?? most, step, onChange } as const;
  return numberField(options);
}

export function selectField<Value extends string>(
  label: string,
  choices: readonly (readonly [value: Value, label: string])[],
  onChange: (value: Value) => void,
  title = '',
): Field<Value> {
  const select = element(
    'select',
    { onchange: () => onChange(select.value as Value) },
    ...choices.map(([value, text]) => element('option', { value }, text)),
  );
  return {
    element: element('label', { className: 'field', title }, element('span', {}, label), select),
    show: (value) => showValue(select, value),
  };
}

export function checkField(label: string, onChange: (value: boolean) => void): Field<boolean> {
  const input = element('input', { type: 'checkbox' });
  input.onchange = () => onChange(input.checked);
  return {
    element: element('label', { className: 'check' }, input, element('span', {}, label)),
    show: (value) => {
      input.checked = value;
    },
  };
}

/** One of a few, side by side. */
export function choiceField<Value extends string>(
  label: string,
  choices: readonly (readonly [value: Value, label: string])[],
  onChange: (value: Value) => void,
): Field<Value> {
  const inputs = choices.map(([value]) =>
    element('input', { type: 'radio', name: label, value, onchange: () => onChange(value) }),
  );
  return {
    element: element(
      'div',
      { className: 'choice', role: 'radiogroup', 'aria-label': label },
      ...choices.map(([, text], i) => element('label', {}, inputs[i], element('span', {}, text))),
    ),
    show: (value) => {
      for (const input of inputs) input.checked = input.value === value;
    },
  };
}

/** Not while it is being typed into. */
function showValue(control: HTMLInputElement | HTMLSelectElement, value: string): void {
  if (control.value !== value && !(document.activeElement === control && control instanceof HTMLInputElement))
    control.value = value;
}
