import { mostThreads } from '@flowgrad/tensor/node';
import { describe, expect, test } from 'vitest';
import { commands } from './commands.ts';
import { findCommand } from './run-cli.ts';
import { parseCommandLine } from './parse-command-line.ts';
import { tinyWorld } from './testing/run-captured.ts';

const parse = (line: string) => {
  const [name, ...words] = line.split(' ');
  return parseCommandLine(findCommand(name), words);
};

describe.for(commands)('$name', (command) => {
  test.for(command.examples)('its example "$line" parses, and is its own', ({ line }) => {
    expect(line.split(' ')[0]).toBe(command.name);
    expect(() => parse(line)).not.toThrow();
  });

  test('has a summary of one line, a usage and an example', () => {
    expect(command.summary).toMatch(/^[A-Z].*\.$/);
    expect(command.usage.startsWith(command.name)).toBe(true);
    expect(command.examples.length).toBeGreaterThan(0);
  });
});

test('flags have the values of their types, and defaults where none is given', () => {
  const { flags } = parse(
    `train --group ${tinyWorld} --model GAT --learning-rates 1e-3,0 --epochs=7 --json --features 8`,
  );
  expect(flags).toMatchObject({
    group: tinyWorld,
    model: 'GAT',
    'learning-rates': [1e-3, 0],
    epochs: 7,
    json: true,
    features: 8,
    resume: false,
    device: 'auto',
    seed: undefined,
  });
  expect(parse('stats --seeds 1..3,7,2').flags).toMatchObject({ seeds: [1, 2, 3, 7] });
});

test.for([
  ['trian', "got 'trian' (did you mean train?)"],
  ['train --modle GAT', "got '--modle' (did you mean --model?)"],
  ['train --model GGNN-MulMpl', "got 'GGNN-MulMpl' (did you mean GGNN-MulMlp?)"],
  ['train --device wsam', "got 'wsam' (did you mean wasm?)"],
  ['train --group SIEN-SZ32-STP16-NDRP-STD0.2', 'did you mean SINE-SZ32-STP16-NDRP-STD0.2?'],
  ['train --group SINE-SIZE32-STEPS16-NDROP-STD0.2', 'did you mean SINE-SZ32-STP16-NDRP-STD0.2?'],
  ['train --group SINE-SZ32-STP16-NDRP', 'did you mean SINE-SZ32-STP16-NDRP-STD0.2?'],
  ['train --seed --out x', 'expected a value after --seed, <n>, got none'],
  ['train --seed', 'expected a value after --seed, <n>, got none'],
  ['train --seed -1', "--seed: expected a whole number in 0..4294967295, got '-1'"],
  ['train --seed 1.5', "got '1.5'"],
  ['train --epochs 0', "--epochs: expected a whole number ≥ 1, got '0'"],
  ['train --json=yes', "expected --json without a value, got 'yes'"],
  ['train --learning-rates 1e-3,x', "got '1e-3,x'"],
  ['train --plan cnoe', "expected a value among cone, dense, got 'cnoe' (did you mean cone?)"],
  ['train --settings {"group":"SINE"}', 'expected the settings of a run as JSON'],
  ['stats --seeds 5..1', 'expected whole numbers such as 3, 1..20 or 1..3,7'],
  ['stats --seeds 1..99999999', 'expected at most 10000 numbers'],
  [
    'evaluate',
    'expected flowgrad evaluate <run folder | parameters.safetensors | store> [flags], got nothing',
  ],
  ['evaluate a b', "got 'a' 'b' beside the flags"],
  ['evaluate a --epoch 0', "expected an epoch ≥ 1, best or last, got '0'"],
  ['doctor x y', "got 'x' 'y' beside the flags"],
])('"%s" is refused: %s', ([line, message]) => {
  expect(() => parse(line)).toThrow(message);
});

test.for(commands.filter(({ flags }) => 'threads' in flags))(
  '$name takes as many threads as a wasm backend may have, and no more',
  (command) => {
    const words = command.takes ? ['folder', '--threads'] : ['--threads'];
    expect(parseCommandLine(command, [...words, '64']).flags).toMatchObject({ threads: mostThreads });
    expect(() => parseCommandLine(command, [...words, '65'])).toThrow(
      `${command.name}: --threads: expected a whole number in 1..64, got '65'`,
    );
  },
);

test('a word that is nothing like a command gets no suggestion', () => {
  expect(() => parse('xyzzy-plugh')).toThrow(/got 'xyzzy-plugh'$/);
});

test('--help wins over whatever else is missing', () => {
  expect(parse('evaluate --help').help).toBe(true);
  expect(parse('evaluate -h').help).toBe(true);
});
