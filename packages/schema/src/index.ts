export {
  checked,
  fieldSchema,
  given,
  listOf,
  optional,
  record,
  required,
  together,
  valueOf,
} from './checked.ts';
export type { Naming } from './checked.ts';
export { holds, gotInstead, rangeOf, shown, wanted } from './field.ts';
export type { ChoiceField, Field, Fields, NumberField, NumbersField, SwitchField, ValueOf } from './field.ts';
export { fieldTable, flagName, fromText, labelOf, toText } from './field-text.ts';
