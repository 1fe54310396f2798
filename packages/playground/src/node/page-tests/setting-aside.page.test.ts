import { expect, it } from 'vitest';
import { lossesOf, onNode } from './node-run.ts';
import { smallConfig, smallRun, withPlayground } from './playground-page.ts';
import type { PlaygroundPage } from './playground-page.ts';

const link = `${smallRun}&device=wasm`;
const stepTo = async ({ page, until }: PlaygroundPage, from: number, to: number): Promise<void> => {
  for (let step = from; step <= to; step++) {
    await page.getByRole('button', { name: 'Step', exact: true }).click();
    await until(`state.runs[0].step === ${step}`);
  }
};

it('training that another world ends is brought back by the keyboard, and goes on as if nothing had been', async () => {
  const expected = await onNode('wasm', smallConfig, (trainer) => lossesOf(trainer, 6));
  await withPlayground({ link: `${link}&source=3,4` }, async (playground) => {
    const { page, until, runs, state } = playground;
    const undo = page.getByRole('button', { name: 'Undo' });
    await stepTo(playground, 1, 3);
    expect(await undo.isVisible()).toBe(false);
    const size = page.getByRole('spinbutton', { name: 'N', exact: true });
    await size.fill('7');
    await size.press('Enter');
    await until(`state.phase === 'ready' && state.world.map.size === 7 && state.runs[0].step === 0`);
    const status = page.getByRole('status');
    await expect
      .poll(() => status.textContent())
      .toBe('Set aside: GGNN-MulMlp at step 3. Undo brings it back.');
    // Another change of what has no progress leaves what was set aside.
    await page.getByRole('button', { name: 'Another world' }).click();
    await until(`state.phase === 'ready' && state.configuration.seed === 2`);

    // The state is there before it is drawn, and what is not yet enabled cannot be focused.
    await expect.poll(() => undo.isEnabled()).toBe(true);
    await undo.focus();
    await page.keyboard.press('Enter');
    await until(`state.phase === 'paused' && state.world.map.size === 12 && state.runs[0].step === 3`);
    await until('state.watched.length === 1 && state.sourceView');
    expect(page.url()).toMatch(/size=12&.*&seed=1&.*&source=3,4/);
    await expect.poll(() => size.inputValue()).toBe('12');
    await expect.poll(() => undo.isVisible()).toBe(false);
    await stepTo(playground, 4, 6);
    expect((await runs())[0].losses).toEqual(expected.map((loss, i) => [i + 1, loss]));
    expect(await state('state.notice')).toBeUndefined();
  });
});

it('another model and reset set aside too, also while it trains, and undo can itself be undone', async () => {
  await withPlayground({ link }, async (playground) => {
    const { page, until, runs, state } = playground;
    const undo = page.getByRole('button', { name: 'Undo' });
    await page.getByRole('button', { name: 'Start' }).click();
    await until('state.runs[0].step >= 3');
    await page.getByRole('button', { name: 'Reset' }).click();
    await until(`state.phase === 'ready' && state.runs[0].step === 0`);
    const reached = await state<number>('state.setAside.runs[0].losses.length');
    expect(reached).toBeGreaterThanOrEqual(3);
    await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('RW-Stationary');
    await until(`state.phase === 'ready' && state.runs[0].config.model === 'RW-Stationary'`);
    await stepTo(playground, 1, 2);
    await undo.click();
    await until(`state.phase === 'paused' && state.runs[0].config.model === 'GGNN-MulMlp'`);
    expect((await runs())[0].losses).toHaveLength(reached);
    // Drawn a frame after the state has it.
    const notice = page.locator('.notice:visible');
    await expect.poll(() => notice.textContent()).toContain('RW-Stationary at step 2');
    await undo.click();
    await until(`state.phase === 'paused' && state.runs[0].config.model === 'RW-Stationary'`);
    expect((await runs())[0].step).toBe(2);
    await notice.getByRole('button', { name: 'Close the message' }).click();
    await until('state.setAside === undefined');
  });
});

it('changes that follow each other quickly all count', async () => {
  await withPlayground({ link }, async (playground) => {
    const { page, until, state } = playground;
    await stepTo(playground, 1, 1);
    const change = (name: string, value: string): string =>
      `{ const field = [...document.querySelectorAll('.field')].find((each) => each.textContent === '${name}');
         const input = field.querySelector('input'); input.value = '${value}'; input.dispatchEvent(new Event('change')); }`;
    await page.evaluate(`(() => { ${change('N', '7')} ${change('T', '3')} ${change('d', '5')} })()`);
    await until(`state.phase === 'ready' && state.runs[0]?.config.options.d === 5`);
    expect(await state('state.world.parameters')).toMatchObject({ size: 7, steps: 3 });
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(`state.phase === 'paused' && state.runs[0].step === 1 && state.world.map.size === 12`);
  });
});
