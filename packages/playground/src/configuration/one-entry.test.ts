/** An option that a model has more is in links and in the form, without another line here. */
import type * as Models from '@flowgrad/models';
import { expect, it, vi } from 'vitest';
import { settingFields } from '../page/fields.ts';
import { firstConfiguration, linkRun, runSettings } from './configuration.ts';
import { fromLink, toLink } from './link.ts';
import { formFields, isTaken, withSetting } from './run-form.ts';

vi.mock('@flowgrad/models', async (original) => {
  const real = await original<typeof Models>();
  const dropRate = {
    kind: 'number',
    least: 0,
    most: 0.5,
    default: 0,
    about: 'share of messages dropped',
  } as const;
  return {
    ...real,
    modelOptions: { ...real.modelOptions, dropRate },
    optionsOf: (name: Models.ModelName) => ({
      ...real.optionsOf(name),
      ...(name === 'GGNN-MulMlp' && { dropRate }),
    }),
  };
});

const run = linkRun;
const changed = { ...firstConfiguration, runs: [withSetting(run, { dropRate: 0.25 })] };

it('a link carries it, and says what is wrong with it', () => {
  expect(toLink(changed)).toContain('&dropRate=0.25&');
  expect(fromLink(toLink(changed))).toEqual(changed);
  expect(() => fromLink('dropRate=0.75')).toThrow('link: expected dropRate to be at most 0.5, got 0.75');
});

it('a run has it', () => {
  expect(runSettings(changed, 0).options).toEqual({ d: 20, dropRate: 0.25 });
});

it('the form has a control for it, where a model takes it, and says what it takes', () => {
  class Control {
    children: unknown[] = [];
    append(...children: unknown[]): void {
      this.children.push(...children);
    }
    setAttribute(): void {}
  }
  vi.stubGlobal('document', { createElement: () => new Control() });
  const changes: object[] = [];
  const wrongs: unknown[] = [];
  const { dropRate } = settingFields(formFields, {
    onChange: (change) => changes.push(change),
    onWrong: (...wrong) => wrongs.push(wrong),
  }).elements;
  expect(dropRate).toMatchObject({ title: 'Share of messages dropped' });
  const [label, note] = dropRate.children as unknown as [Control, HTMLElement];
  const [name, input] = label.children as [Control, HTMLInputElement];
  expect(name.children).toEqual(['Drop rate']);
  expect(input).toMatchObject({ type: 'number', min: '0', max: '0.5', step: 'any' });
  const type = (value: string): void => {
    Object.assign(input, { value }).onchange?.(new Event('change'));
  };
  type('0.75');
  expect(note.textContent).toBe('Expected a number in 0..0.5');
  expect(changes).toEqual([]);
  type('0.5');
  expect(note.textContent).toBe('');
  expect(changes).toEqual([{ dropRate: 0.5 }]);
  expect(wrongs).toEqual([
    ['dropRate', 'Drop rate: expected a number in 0..0.5, got 0.75'],
    ['dropRate', undefined],
  ]);
  expect([isTaken(run, 'dropRate'), isTaken({ ...run, model: 'GAT' }, 'dropRate')]).toEqual([true, false]);
});
