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

const oddJson = others.flatMap((text): unknown[] => {
  try {
    return [JSON.parse(text) as unknown];
  } catch {
    return [text];
  }
});

const copyOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null)) as unknown;

/** A value of JSON in which one to three things are others, missing or too many: it is still JSON. */
export function mutateValue(input: unknown, random: Random): unknown {
  const root = { value: copyOf(input) };
  for (let times = 1 + random.below(3); times > 0; times--) {
    const places: (readonly [holder: object, key: string])[] = [];
    const visit = (holder: object): void => {
      for (const [key, inner] of Object.entries(holder) as [string, unknown][]) {
        places.push([holder, key]);
        if (typeof inner === 'object' && inner !== null) visit(inner);
      }
    };
    visit(root);
    if (places.length === 0) break;
    const [holder, key] = random.pick(places);
    const other: unknown = Reflect.get(...random.pick(places));
    // A copy: what is put twice would be changed in both places, and could come to hold itself.
    const value = copyOf(random.pick([random.pick(oddJson), random.below(64), other]));
    if (random.below(6) === 0) Reflect.deleteProperty(holder, key);
    else Reflect.set(holder, random.below(6) === 0 ? random.pick(places)[1] : key, value);
  }
  return root.value;
}
