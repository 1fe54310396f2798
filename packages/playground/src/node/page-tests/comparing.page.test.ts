import { expect, it } from 'vitest';
import { smallRun, withPlayground } from './playground-page.ts';

const link = `${smallRun}&device=wasm`;

it('a model is not offered beside itself, and not compared with itself', async () => {
  await withPlayground({ link }, async ({ page, state, until }) => {
    const model = page.getByRole('combobox', { name: 'Model', exact: true });
    const beside = page.getByLabel('Compare with');
    const offered = (): Promise<string[]> => beside.locator('option:enabled').allTextContents();
    await expect.poll(offered).not.toContain('GGNN-MulMlp');
    expect(await offered()).toEqual(expect.arrayContaining(['nothing', 'GGNN', 'Walker']));
    await beside.selectOption('GGNN');
    await until(`state.phase === 'ready' && state.runs.length === 2`);
    // The second model is chosen as the first: there is nothing left to compare.
    await model.selectOption('GGNN');
    await until(
      `state.phase === 'ready' && state.runs.length === 1 && state.runs[0].config.model === 'GGNN'`,
    );
    expect(await state('state.notice.text')).toBe(
      'Compared with nothing now: both models would be GGNN with the same settings.',
    );
    await expect.poll(() => beside.inputValue()).toBe('');
    await expect.poll(offered).toContain('GGNN-MulMlp');
    expect(await offered()).not.toContain('GGNN');
  });
});

it('a link may compare a model with itself by other settings, and what is the same twice is said', async () => {
  const same = 'Both have the same model and the same settings';
  await withPlayground({ link: `${link}&model2=GGNN-MulMlp&d2=4` }, async ({ page, until }) => {
    const facts = page.locator('section[aria-label="Model"] .facts');
    expect(await page.getByLabel('Compare with').inputValue()).toBe('GGNN-MulMlp');
    expect(await facts.textContent()).not.toContain(same);
    await page.goto(`${page.url().split('#')[0]}#${link}&model2=GGNN-MulMlp`);
    await until(`state.phase === 'ready' && state.runs[1]?.config.options.d === 16`);
    await expect.poll(() => facts.textContent()).toContain(same);
  });
});
