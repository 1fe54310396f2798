/** Fields whose text is no value of theirs. What they show is not what would be trained, so that nothing starts before they are right. */
import { element } from './element.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';

/** Told what is wrong with a field, by the name of its setting; `undefined` when nothing is any more. */
export type OnWrong = (name: string, text: string | undefined) => void;

export function keepWrongFields({ get, set }: Store<State>): OnWrong {
  return (name, text) => {
    const { [name]: _, ...others } = get().wrongFields;
    set({
      wrongFields: text === undefined ? others : { ...others, [name]: text },
      ...(text !== undefined && { status: text }),
    });
  };
}

/** Why nothing can be trained now, a line for each field; empty if it can. */
export const reasonNotToTrain = ({ wrongFields }: Pick<State, 'wrongFields'>): string =>
  Object.values(wrongFields).join('\n');

/** A line beside a control that says what is expected of it, for screen readers too. */
export function wrongNote(
  id: string,
  control: HTMLInputElement,
): { readonly element: HTMLElement; say(this: void, text: string): void } {
  const line = element('p', { className: 'wrong', id });
  control.setAttribute('aria-describedby', id);
  return {
    element: line,
    say: (text) => {
      line.textContent = text;
      control.setAttribute('aria-invalid', String(text !== ''));
    },
  };
}
