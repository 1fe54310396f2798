/** That no list of ops misses anything, beyond what the compiler sees, and the loops on the reference. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { referenceBackend } from '../backends/reference/reference-backend.ts';
import { openWatchdog } from '../node/watchdog.ts';
import {
  describeComposed,
  describeCoverage,
  describeGradients,
  describeParity,
} from '../testing/vitest/describe-checks.ts';
import { benchCases } from './generated/all.bench.ts';
import { registry } from './registry.ts';

const names = Object.keys(registry).sort();

describe('the registry', () => {
  it('lists every op under its own name', () => {
    expect(Object.values(registry).map((op) => op.name)).toEqual(Object.keys(registry));
  });

  it('every op has at least three bench sizes, each with a name of its own', () => {
    const few = Object.entries(benchCases).filter(
      ([, cases]) => new Set(cases.map(({ name }) => name)).size < Math.max(3, cases.length),
    );
    expect(few.map(([name]) => name)).toEqual([]);
  });
});

describe('the folders of ops', () => {
  const files = readdirSync(fileURLToPath(new URL('.', import.meta.url)), {
    recursive: true,
    encoding: 'utf8',
  });

  /** The ops that the tables of all files of a role speak of, one by one. */
  const opsIn = async (role: string, constant: RegExp): Promise<string[]> => {
    const found: string[] = [];
    for (const file of files.filter((path) => path.endsWith(role) && !path.includes('generated'))) {
      const module = (await import(/* @vite-ignore */ `./${file}`)) as Record<string, object>;
      for (const [name, value] of Object.entries(module)) {
        if (!constant.test(name)) continue;
        found.push(...(typeof value === 'function' ? [name.replace(constant, '')] : Object.keys(value)));
      }
    }
    return found.sort();
  };

  it.for<[role: string, constant: RegExp]>([
    ['.op.ts', /References?$/],
    ['.wasm.ts', /Wasm$/],
    ['.webgpu.ts', /Kernels?$/],
    ['.cases.ts', /^(?!composed).*Cases$/],
    ['.bench.ts', /Bench$/],
  ])('speak of every op once in their files %s, and of nothing else', async ([role, constant]) => {
    expect(await opsIn(role, constant)).toEqual(names);
  });
});

const reference = referenceBackend();
const { guard } = openWatchdog();

describeCoverage();
describeParity('the float32 reference', () => reference, guard);
describeGradients();
describeComposed();
