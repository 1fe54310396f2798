import { expect, test } from 'vitest';
import { onceReachable } from './database.ts';

const away = (): Error => Object.assign(new Error('gone'), { code: 'ECONNRESET' });

/** Fails with each of some errors, then has an answer. */
function failing(...errors: Error[]): () => Promise<string> {
  return async () => {
    const error = errors.shift();
    if (error) throw error;
    return 'here';
  };
}

test('what is out of reach is asked again, and it is told', async () => {
  const troubles: string[] = [];
  const onTrouble = (text: string): unknown => troubles.push(text);
  expect(await onceReachable(failing(away()), { onTrouble })).toBe('here');
  expect(troubles).toEqual(['gone']);
});

test('not when it is too late, when nobody wants it any more, or when something else is wrong', async () => {
  await expect(onceReachable(failing(away()), { seconds: -1 })).rejects.toThrow('gone');
  await expect(onceReachable(failing(away()), { signal: AbortSignal.abort() })).rejects.toThrow('gone');
  await expect(onceReachable(failing(new Error('wrong')), {})).rejects.toThrow('wrong');
});

test('who stops waiting does not wait to the end', async () => {
  const stop = new AbortController();
  const asked = onceReachable(failing(away(), away()), { signal: stop.signal });
  stop.abort();
  await expect(asked).rejects.toThrow('gone');
});
