/** Labelled controls. Each returns its element and a way to show a value. */
import { labelOf } from '@flowgrad/schema';
import type { Fields, Field as Setting, ValueOf } from '@flowgrad/schema';
import { element } from './element.ts';
import { typedField } from './typed-field.ts';
import type { OnWrong } from './wrong-fields.ts';

export interface Field<Value> {
  readonly element: HTMLElement;
  show(this: void, value: Value): void;
}

type Values<Settings> = { readonly [Name in keyof Settings]?: ValueOf<Settings[Name]> };

interface SettingFieldsOptions<Settings> {
  readonly onChange: (changes: Values<Settings>) => void;
  readonly onWrong: OnWrong;
  /** Whether a setting without a default may be left out, as those of a run may: its field is empty then. */
  readonly isPartial?: boolean;
}

/** The controls of settings by name, and a way to show their values. Settings that do not matter now are hidden. */
export function settingFields<const Settings extends Fields>(
  settings: Settings,
  { onChange, onWrong, isPartial = false }: SettingFieldsOptions<Settings>,
): {
  readonly elements: { readonly [Name in keyof Settings]: HTMLElement };
  show(
    this: void,
    values: Readonly<Record<string, unknown>>,
    matters?: (name: keyof Settings & string) => boolean,
  ): void;
} {
  const fields = Object.entries(settings).map(([name, setting]) => {
    const change = (value: unknown): void => onChange({ [name]: value } as Values<Settings>);
    const isOptional = isPartial && setting.default === undefined;
    const options = { onChange: change, onWrong: (text?: string) => onWrong(name, text), isOptional };
    return { name, setting, ...settingField(name, setting, options) };
  });
  return {
    elements: Object.fromEntries(fields.map((field) => [field.name, field.element])) as {
      readonly [Name in keyof Settings]: HTMLElement;
    },
    show: (values, matters = () => true) => {
      for (const { name, setting, show, drop, element: control } of fields) {
        show(values[name] ?? setting.default);
        control.hidden = !matters(name);
        // Nobody can correct what is not seen, and nothing depends on it.
        if (control.hidden) drop?.();
      }
    },
  };
}

export interface SettingFieldOptions {
  readonly onChange: (value: unknown) => void;
  /** Told what is wrong with the text of the field, and `undefined` when nothing is any more. */
  readonly onWrong: (text?: string) => void;
  /** Whether an empty field stands for no value. */
  readonly isOptional: boolean;
}

/** The control of a setting, as its entry says what it is. */
function settingField(
  name: string,
  setting: Setting,
  options: SettingFieldOptions,
): Field<unknown> & { drop?(this: void): void } {
  const label = labelOf(name, setting);
  const title = setting.about.charAt(0).toUpperCase() + setting.about.slice(1);
  switch (setting.kind) {
    case 'choice': {
      const choices = setting.choices.map((each, i) => [each, setting.labels?.[i] ?? each] as const);
      return selectField(label, choices, options.onChange, title);
    }
    case 'switch':
      return checkField(label, options.onChange);
  }
  return typedField({ name, setting, label, title, ...options });
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
    show: (value) => {
      if (select.value !== value) select.value = value;
    },
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
