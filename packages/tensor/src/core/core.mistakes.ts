import { joinIndices, rowIndex, segments } from './row-index.ts';
import { floats, ints } from '../testing/mistake.ts';
import type { Mistakes } from '../testing/mistake.ts';
import { parameter } from '../ops/grad/grad.ts';
import { referenceBackend } from '../backends/reference/reference-backend.ts';
import { arange } from '../create/create.ts';
import { assign } from './assign.ts';
import { defineOp } from './op.ts';

export const coreMistakes = {
  assign: [
    [
      () => assign(parameter(floats(2)), floats(3)),
      'shape',
      'assign: source must have shape [2], got float32 [3]',
    ],
    [
      () => assign(parameter(floats(2)), ints(2)),
      'dtype',
      'assign: expected operands of one dtype, got float32 [2] and int32 [2] (cast one of them)',
    ],
    [
      () => assign(floats(2), floats(2)),
      'option',
      'assign: expected a parameter to overwrite, got a constant tensor [2] (make it with parameter())',
    ],
    [
      () => {
        const freed = floats(2);
        freed.dispose();
        assign(parameter(floats(2)), freed);
      },
      'disposed',
      'assign: expected a live tensor, got float32 [2] freed by dispose()',
    ],
    [
      () => assign(parameter(floats(2)), arange(2, { backend: referenceBackend() })),
      'backend',
      'assign: expected all inputs on one backend, got reference [2], reference [2] (copy with tensor(await x.data(), { shape }))',
    ],
  ],
  joinIndices: [
    [() => joinIndices([]), 'index', 'joinIndices: expected at least one index, got none'],
    [
      () => joinIndices([rowIndex([0], 3), rowIndex([0], 4)], { sameRows: true }),
      'index',
      'joinIndices: expected parts into the same 3 rows, got 4 at 1',
    ],
    [
      () => joinIndices([rowIndex([0], 2 ** 31), rowIndex([0], 1)]),
      'index',
      'joinIndices: expected at most 2147483648 rows in all, got 2147483649',
    ],
  ],
  rowIndex: [
    [() => rowIndex([0, 3], 3), 'index', 'rowIndex: expected ids in 0 … 2, got 3 at 1'],
    [() => rowIndex([0, -1], 3), 'index', 'rowIndex: expected ids in 0 … 2, got -1 at 1'],
    [() => rowIndex([0.5], 3), 'index', 'rowIndex: expected ids in 0 … 2, got 0.5 at 0'],
    [() => rowIndex([0], 0), 'index', 'rowIndex: expected ids in none: there are no rows, got 0 at 0'],
    [() => rowIndex([], -1), 'index', 'rowIndex: expected a count of rows, got -1'],
    [() => rowIndex(4 as never, 5), 'index', 'rowIndex: expected a list of ids, got number'],
    [
      () => rowIndex([2 ** 32], 2 ** 40),
      'index',
      `rowIndex: expected ids in 0 … ${2 ** 40 - 1}, got 4294967296 at 0`,
    ],
  ],
  segments: [
    [
      () => segments([0, 2, 1], 3),
      'index',
      'segments: expected ids that never decrease, got 2 then 1 at 2 (scatterAdd takes any order; or sort the rows first)',
    ],
  ],
  defineOp: [
    [
      () =>
        defineOp({
          name: 'x',
          operands: {},
          outputs: {},
          infer: () => ({}),
          reference: () => {},
          ...({ forward: 1 } as object),
        }),
      'option',
      "defineOp: expected options among name, operands, outputs, infer, reference, backward, saves, viewOf, mutates, kernels, got 'forward'",
    ],
  ],
} satisfies Record<string, Mistakes>;
