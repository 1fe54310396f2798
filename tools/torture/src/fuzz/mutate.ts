/** Inputs that are nearly right. */
import type { Random } from '../random.ts';

const edges = [
  0, 1, 2, 7, 8, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
];

type Change = (bytes: Buffer, random: Random) => Buffer;

const changes: readonly Change[] = [
  (bytes, random) => {
    bytes[random.below(bytes.length)] ^= 1 << random.below(8);
    return bytes;
  },
  (bytes, random) => {
    bytes[random.below(bytes.length)] = random.below(256);
    return bytes;
  },
  (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  (bytes, random) => bytes.subarray(random.below(bytes.length)),
  // A part is left out, or comes twice.
  (bytes, random) => {
    const [from, to] = range(bytes, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  (bytes, random) => {
    const [from, to] = range(bytes, random);
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
  },
  // A length or an offset becomes one of those that programs stumble over.
  (bytes, random) => {
    const value = random.pick(edges);
    if (bytes.length >= 4) bytes.writeUInt32LE(value, random.below(bytes.length - 3));
    return bytes;
  },
  (bytes, random) => {
    if (bytes.length >= 2) bytes.writeUInt16LE(random.pick(edges) & 0xffff, random.below(bytes.length - 1));
    return bytes;
  },
  (bytes, random) => {
    const [from, to] = range(bytes, random);
    return bytes.fill(random.pick([0, 0xff, 0x20, 0x5b]), from, to);
  },
];

function range(bytes: Buffer, random: Random): [number, number] {
  const from = random.below(bytes.length);
  return [from, Math.min(bytes.length, from + 1 + random.below(64))];
}

export function mutateBytes(input: Uint8Array, random: Random): Uint8Array<ArrayBuffer> {
  let bytes = Buffer.from(input);
  for (let times = 1 + random.below(4); times > 0 && bytes.length > 0; times--) {
    bytes = random.pick(changes)(bytes, random) as typeof bytes;
  }
  return new Uint8Array(bytes);
}

const tokens = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|"(?:[^"\\]|\\.)*"|\w+|[[\]{},:\t\n&=]/g;
const others = [
  ...[
    '0',
    '-1',
    '-0',
    '1e999',
    '1e308',
    '0.5',
    '999999999',
    '4294967296',
    '9007199254740993',
    'NaN',
    'Infinity',
  ],
  ...[
    '',
    '""',
    '"x"',
    '"__proto__"',
    '"constructor"',
    'null',
    'true',
    '[]',
    '{}',
    '[[]]',
    '[null]',
    '{"a":1}',
  ],
  ...['"\\ud800"', '\u0000', '\ufeff', '%00', '%zz', '..', '/', '\n', '\t', ',', '&', '=', '{', ']', ' '],
];

/** Of text it is words and numbers that are exchanged, so that it is still understood for a while. */
export function mutateText(input: string, random: Random): string {
  let text = input;
  for (let times = 1 + random.below(3); times > 0; times--) {
    const found = [...text.matchAll(tokens)];
    if (found.length === 0) return text;
    const { index, 0: token } = random.pick(found);
    const other = random.pick([random.pick(others), random.pick(found)[0], token + token, '']);
    text = text.slice(0, index) + other + text.slice(index + token.length);
  }
  return random.below(8) > 0 ? text : new TextDecoder().decode(mutateBytes(Buffer.from(text), random));
}
