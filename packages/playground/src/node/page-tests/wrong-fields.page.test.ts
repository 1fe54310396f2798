import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { smallRun, withPlayground } from './playground-page.ts';

const link = `${smallRun}&device=wasm`;
const field = (page: Page, label: string): Locator =>
  page.locator('.field', { has: page.getByText(label, { exact: true }) }).locator('input');
const noteOf = (page: Page, name: string): Locator => page.locator(`#wrong-${name}`);
const reasonOf = (page: Page): Locator => page.locator('#reason-not-to-train');
const start = (page: Page): Locator => page.getByRole('button', { name: 'Start' });

/** As a person does, who goes on to the next field. */
async function type(input: Locator, text: string): Promise<void> {
  await input.fill(text);
  await input.press('Tab');
}

const cases = [
  ['N', 'size', '999', 'an integer in 2..128'],
  ['T', 'steps', '0', 'an integer in 1..128'],
  ['σ', 'sigma', '-1', 'a number in 0.001..1000'],
  ['Nodes dropped', 'nodeDrop', '1', 'a number in 0..0.999'],
  ['Rollouts', 'rollouts', '', 'an integer in 1..10000'],
  ['Epochs', 'epochs', '1.5', 'an integer in 1..1000000'],
  ['Learning rates', 'learningRates', '0.1 fast', 'one or more numbers ≥ 0'],
  ['Threads', 'threads', '65', 'an integer in 0..64'],
];

it('a field says beside it what it takes while it is wrong, and nothing starts', async () => {
  await withPlayground({ link }, async ({ page, state }) => {
    await page.getByText('Settings', { exact: true }).click();
    for (const [label, name, wrong, expected] of cases) {
      const input = field(page, label);
      const [before, url] = [await input.inputValue(), page.url()];
      await type(input, wrong);
      await expect.poll(() => noteOf(page, name).textContent()).toBe(`Expected ${expected}`);
      expect(await input.getAttribute('aria-invalid')).toBe('true');
      expect(await input.getAttribute('aria-describedby')).toBe(`wrong-${name}`);
      const reason = `${label}: expected ${expected}, got ${wrong || 'none'}`;
      await expect.poll(() => reasonOf(page).textContent()).toBe(reason);
      expect(await start(page).isDisabled()).toBe(true);
      expect(await page.getByRole('button', { name: 'Step', exact: true }).isDisabled()).toBe(true);
      expect(await start(page).getAttribute('aria-describedby')).toBe('reason-not-to-train');
      await expect.poll(() => page.getByRole('status').textContent()).toBe(reason);
      expect(await state('[state.phase, state.notice]')).toEqual(['ready', undefined]);
      expect([await input.inputValue(), page.url()]).toEqual([wrong, url]);

      await input.fill(before);
      await expect.poll(() => noteOf(page, name).isVisible()).toBe(false);
      expect(await input.getAttribute('aria-invalid')).toBe('false');
      await expect.poll(() => start(page).isEnabled()).toBe(true);
      expect(await reasonOf(page).isVisible()).toBe(false);
    }
  });
});

it('a wrong text stays while other things change, and goes with its field', async () => {
  await withPlayground({ link }, async ({ page, until, state }) => {
    await type(field(page, 'N'), '999');
    await type(field(page, 'T'), '3');
    await until(`state.phase === 'ready' && state.world.parameters.steps === 3`);
    await expect.poll(() => field(page, 'N').inputValue()).toBe('999');
    await expect.poll(() => start(page).isDisabled()).toBe(true);
    await page.getByLabel('Trained on').selectOption('Transit network');
    await until(`state.phase === 'ready' && state.world.nodeCount === 146`);
    await expect.poll(() => start(page).isEnabled()).toBe(true);
    await page.getByLabel('Trained on').selectOption('Grid world');
    await until(`state.phase === 'ready' && state.world.map`);
    await expect.poll(() => field(page, 'N').inputValue()).toBe('12');
    expect(await state('state.wrongFields')).toEqual({});
  });
});

it('a click on Start right after a wrong value starts nothing', async () => {
  await withPlayground({ link }, async ({ page, state }) => {
    await field(page, 'N').fill('999');
    // The change of the field and the click come before anything is drawn again.
    await page.evaluate(`(() => {
      document.activeElement.blur();
      document.querySelector('button.primary').click();
    })()`);
    expect(await state('state.phase')).toBe('ready');
    await expect.poll(() => reasonOf(page).textContent()).toBe('N: expected an integer in 2..128, got 999');
  });
});

it('a setting that may be left out is left out when its field is emptied', async () => {
  await withPlayground({ link }, async ({ page, until }) => {
    await page.getByText('Settings', { exact: true }).click();
    const averaging = field(page, 'Averaging');
    expect(await averaging.inputValue()).toBe('');
    await type(averaging, '0.5');
    await until(`state.phase === 'ready' && state.runs[0].config.averaging === 0.5`);
    await type(averaging, '');
    await until(`state.phase === 'ready' && state.runs[0].config.averaging === undefined`);
    expect(await noteOf(page, 'averaging').textContent()).toBe('');
  });
});

it('settings that are wrong together are a notice, which goes when others are taken', async () => {
  await withPlayground({ link: link.replace('GGNN-MulMlp', 'GAT') }, async ({ page, until, state }) => {
    await page.getByText('Settings', { exact: true }).click();
    const heads = field(page, 'Heads');
    const before = await heads.inputValue();
    // Five, which the paper has, do not divide 16 channels.
    expect([before, await state('state.runs[0].config.options.heads')]).toEqual(['4', 4]);
    await heads.fill('3');
    await heads.press('Enter');
    await until(`state.notice?.kind === 'problem' && state.phase === 'ready'`);
    expect(await state('state.notice.text')).toContain('expected Heads to be a divisor of d = 16, got 3');
    // What was refused is not shown as if it were used.
    await heads.press('Tab');
    expect(await heads.inputValue()).toBe(before);
    await type(heads, '2');
    await until(`state.phase === 'ready' && state.runs[0].config.options.heads === 2`);
    expect(await state('state.notice')).toBeUndefined();
    await expect.poll(() => page.locator('.notice:visible').count()).toBe(0);
  });
});

it('a source that is no node of the data says so beside its field', async () => {
  await withPlayground({ link: 'data=transit&model=RW-Stationary&device=wasm' }, async ({ page, state }) => {
    const source = page.getByRole('combobox', { name: 'Source' });
    await type(source, 'Nowhere');
    const note = noteOf(page, 'source');
    await expect.poll(() => note.textContent()).toBe('Expected the name of a node');
    expect(await source.getAttribute('aria-invalid')).toBe('true');
    await type(source, await state<string>('state.world.nodeNames[40]'));
    await expect.poll(() => note.isVisible()).toBe(false);
  });
});
