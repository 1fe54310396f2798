import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeSafetensors } from './decode-safetensors.ts';
import { encodeSafetensors } from './encode-safetensors.ts';
import { SafetensorsError } from './safetensors-error.ts';
import { storedTypes } from './stored-tensor.ts';
import type { StoredDType, StoredTensor } from './stored-tensor.ts';

const names = fc.string({ unit: 'binary', maxLength: 6 }).filter((n) => !/^__(proto|metadata)__$/.test(n));

const tensors: fc.Arbitrary<StoredTensor> = fc
  .record({
    dtype: fc.constantFrom(...(Object.keys(storedTypes) as StoredDType[])),
    shape: fc.array(fc.nat(3), { maxLength: 3 }),
    seed: fc.nat(255),
  })
  .map(({ dtype, shape, seed }) => {
    const data = new storedTypes[dtype](shape.reduce((a, b) => a * b, 1));
    for (let i = 0; i < data.length; i++) data[i] = dtype === 'BOOL' ? (seed + i) % 2 : seed - i;
    return { dtype, shape, data } as StoredTensor;
  });

const contents = fc.record({
  tensors: fc.uniqueArray(fc.tuple(names, tensors), { selector: ([name]) => name, maxLength: 4 }),
  metadata: fc.uniqueArray(fc.tuple(names, fc.string({ unit: 'binary' })), {
    selector: ([name]) => name,
    maxLength: 2,
  }),
});

it('what was encoded decodes to the same, and encodes again to the same bytes', () => {
  fc.assert(
    fc.property(contents, ({ tensors, metadata }) => {
      const bytes = encodeSafetensors(new Map(tensors), new Map(metadata));
      const decoded = decodeSafetensors(bytes);
      expect(decoded.tensors).toEqual(new Map(tensors));
      expect(decoded.metadata).toEqual(new Map(metadata));
      expect(encodeSafetensors(decoded.tensors, decoded.metadata)).toEqual(bytes);
    }),
  );
});

type Edit = readonly ['set' | 'insert' | 'remove' | 'cut', at: number, byte: number];

/** Digits, brackets and the like are what headers are made of: they make edits that still parse more often. */
const edits: fc.Arbitrary<Edit> = fc.tuple(
  fc.constantFrom('set', 'insert', 'remove', 'cut'),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.oneof(
    fc.nat(255),
    fc.constantFrom(...'0123456789-,:"\\{}[] .eFI'.split('').map((c) => c.charCodeAt(0))),
  ),
);

function edited(bytes: Uint8Array, [kind, at, byte]: Edit): Uint8Array {
  const position = Math.floor(at * bytes.length);
  const list = Array.from(bytes);
  if (kind === 'set') list[position] = byte;
  else if (kind === 'insert') list.splice(position, 0, byte);
  else if (kind === 'remove') list.splice(position, 1);
  else list.length = position;
  return Uint8Array.from(list);
}

it('a file that was tampered with is refused or still holds together', () => {
  const verdicts = { refused: 0, read: 0 };
  fc.assert(
    fc.property(
      contents,
      fc.array(edits, { minLength: 1, maxLength: 2 }),
      ({ tensors, metadata }, changes) => {
        const bytes = changes.reduce(edited, encodeSafetensors(new Map(tensors), new Map(metadata)));
        try {
          const decoded = decodeSafetensors(bytes);
          let total = 0;
          for (const { dtype, shape, data } of decoded.tensors.values()) {
            expect(data).toBeInstanceOf(storedTypes[dtype]);
            expect(data.length).toBe(shape.reduce((a, b) => a * b, 1));
            total += data.byteLength;
          }
          expect(total).toBeLessThanOrEqual(bytes.length);
          verdicts.read += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(SafetensorsError);
          verdicts.refused += 1;
        }
      },
    ),
    { numRuns: 2000 },
  );
  // Both happen: a change of a value or a name is nobody's to see.
  expect(verdicts.refused).toBeGreaterThan(20);
  expect(verdicts.read).toBeGreaterThan(20);
});
