/** JSON documents in which some values are extreme, but still have their types. */
import {
  type Arbitrary,
  boolean,
  constantFrom,
  date,
  double,
  func,
  integer,
  maxSafeInteger,
  nat,
  oneof,
  record,
  string,
  subarray,
  tuple,
} from 'fast-check';

/** Objects that contain one of these texts stay unchanged. */
export type Distort = (document: unknown, spared?: ReadonlySet<string>) => unknown;

/** JSON can also contain lone surrogates, as escapes. */
const codeUnit = integer({ min: 0, max: 0xff_ff }).map((unit) => String.fromCharCode(unit));

const text = oneof(
  { weight: 2, arbitrary: string({ unit: codeUnit, maxLength: 40 }) },
  {
    weight: 3,
    arbitrary: constantFrom(
      '',
      ' ',
      '\u0000',
      '\u001B[31mred\u001B[0m\r\n',
      'a\u202Egpj.exe\u2066\u2067b',
      '\uFFFE\uFFFF\u0085\u2028\u2029',
      '\uD800',
      '\uDC00half\uD83D',
      '👩‍👩‍👧'.repeat(40),
      'é'.repeat(513),
      'a'.repeat(100_000),
      '😀'.repeat(50_000),
      '__proto__',
      'null',
      '-0',
      'https://[',
      'javascript:alert(1)',
    ),
  },
);

const offset = constantFrom('Z', '+14:00', '-12:00', '+0000', '-0330', '+23:59');

const moment = oneof(
  constantFrom(
    '0000-01-01T00:00:00Z',
    '1969-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00+0000',
    '2003-12-31T23:59:59-1200',
    '9999-12-31T23:59:59.999-12:00',
    '+010000-01-01T00:00:00.000Z',
    '+275760-09-13T00:00:00.000Z',
    '-271821-04-20T00:00:00.000Z',
    '2026-02-30T25:61:61Z',
  ),
  tuple(date({ noInvalidDate: true }), offset).map(([at, zone]) => at.toISOString().replace('Z', zone)),
);

const number = oneof(
  { weight: 2, arbitrary: constantFrom(0, -1, 0.5, 1e-320, 2 ** 31, 2 ** 53, 9e15, 1e308, -1e308) },
  // Extreme times: the last one that a JavaScript date can represent and the year 10000, in milliseconds and in
  // seconds, and the year 1.
  { weight: 2, arbitrary: constantFrom(8.64e15, 8.64e12, 253_402_300_800_000, 253_402_300_800, -62_135_596_800) },
  { weight: 1, arbitrary: maxSafeInteger() },
  { weight: 1, arbitrary: double({ noNaN: true, noDefaultInfinity: true }) },
);

const kinds = ['text', 'id', 'moment', 'number', 'flag', 'repeats'] as const;
type Kind = (typeof kinds)[number];

/** For each kind of value, its replacement; `repeats` says how often the items of a list are repeated. */
const change = (maxRepeats: number) =>
  record({ die: nat(3), text, id: text, moment, number, flag: boolean(), repeats: constantFrom(0, 2, maxRepeats) });

/**
 * Which kinds of values are replaced, and how many out of four values: a document with only extreme values would soon
 * be rejected as a whole.
 */
const extent = record({
  kinds: oneof(
    constantFrom<readonly Kind[]>(['number', 'moment'], ['text'], ['repeats']),
    subarray([...kinds], { minLength: 1 }),
  ),
  share: constantFrom(1, 2, 4),
});

type Change = ReturnType<typeof change> extends Arbitrary<infer One> ? One : never;
/** The replacement of a value; undefined for a value that remains unchanged. */
type Choose = <One extends Kind>(kind: One, path: string) => Omit<Change, 'die'>[One] | undefined;

/**
 * Properties by which a protocol identifies the kind of document, and by which it says whether a list continues: these
 * stay unchanged.
 */
const protocol = new Set(['object', 'paging', 'has_more']);

/** Ids are a kind of their own, because an object with a different id is another object, or none. */
const textKind = (value: string, path: string): 'text' | 'id' | 'moment' => {
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return 'moment';
  return /[._m]id$|reference$/.test(path) ? 'id' : 'text';
};

/**
 * Whether an object, or an object nested in it, contains one of the texts that must stay unchanged. Objects in its
 * lists are checked separately.
 */
function names(value: object, spared: ReadonlySet<string>): boolean {
  return Object.values(value).some((own: unknown) => {
    if (typeof own === 'string') return spared.has(own);
    return typeof own === 'object' && own !== null && !Array.isArray(own) && names(own, spared);
  });
}

function distorted(value: unknown, path: string, choose: Choose, spared: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return choose(textKind(value, path), path) ?? value;
  if (typeof value === 'number') return choose('number', path) ?? value;
  if (typeof value === 'boolean') return choose('flag', path) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const isSpared = (item: unknown) => typeof item === 'object' && item !== null && names(item, spared);
    const repeats = choose('repeats', path) ?? 1;
    return value.flatMap((item: unknown, index) =>
      isSpared(item)
        ? [item]
        : Array.from({ length: repeats }, () => distorted(item, `${path}[${index}]`, choose, spared)),
    );
  }
  if (names(value, spared)) return value;
  const entries = Object.entries(value).map(([name, own]: [string, unknown]) => [
    name,
    protocol.has(name) ? own : distorted(own, `${path}.${name}`, choose, spared),
  ]);
  return Object.fromEntries(entries) as unknown;
}

/** Replaces texts that are neither ids nor times. `replacement` gets a text's path; if it returns undefined, the text stays. */
export const replacingTexts =
  (replacement: (path: string) => string | undefined): Distort =>
  (document, spared = new Set()) => {
    const choose = (kind: Kind, path: string) => (kind === 'text' ? replacement(path) : undefined);
    return distorted(document, '', choose as Choose, spared);
  };

/** Makes a document extreme; the same document always has the same result. */
export const distortions = (maxRepeats: number): Arbitrary<Distort> =>
  tuple(extent, func<[string], Change>(change(maxRepeats))).map(([{ kinds: chosen, share }, changeAt]) => {
    const choose: Choose = (kind, path) => {
      const { die, ...values } = changeAt(path);
      return chosen.includes(kind) && die < share ? values[kind] : undefined;
    };
    return (document, spared = new Set()) => distorted(document, '', choose, spared);
  });
