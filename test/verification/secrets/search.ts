/** Finds a secret in bytes, in any encoding and when it is truncated. */

export interface Canary {
  readonly name: string;
  /** The text of the canary, mostly random, so that nothing else resembles it. */
  readonly text: string;
}

export interface Sighting {
  readonly canary: string;
  /** The form in which it was found: `raw`, `base64`, … */
  readonly form: string;
  /** The bytes around the match. */
  readonly where: string;
}

const pieceLength = 16;
const shortestPiece = 12;

/**
 * The parts of a text that quoting does not change, in windows of 16 bytes: any of them shows that a secret was
 * shortened, quoted or wrapped across lines.
 */
function piecesOf(text: string): string[] {
  const runs = text.match(/[\w+/=.-]+/g)?.filter((run) => run.length >= shortestPiece) ?? [];
  const pieces = runs.flatMap((run) => {
    const starts = Array.from({ length: Math.floor(run.length / pieceLength) }, (_, index) => index * pieceLength);
    return [...starts, Math.max(0, run.length - pieceLength)].map((start) => run.slice(start, start + pieceLength));
  });
  if (pieces.length === 0) throw new Error(`"${text}" has no part that is long enough to be known by`);
  return [...new Set(pieces)];
}

/** The Base64 of bytes at a given offset in a longer text, without the characters that depend on neighboring bytes. */
function base64Inside(bytes: Buffer, offset: number): string {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return whole.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

interface Form {
  readonly canary: string;
  readonly form: string;
  readonly written: Buffer;
}

/** Converts ASCII letters to lower case, because some forms may be written in either; other bytes keep their positions. */
const lowered = (bytes: Buffer): Buffer => bytes.map((byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte)) as Buffer;

function formsOf({ name: canary, text }: Canary): Form[] {
  return piecesOf(text).flatMap((piece) => {
    const bytes = Buffer.from(piece);
    const numbers = [...bytes];
    const base64 = [0, 1, 2].map((offset) => base64Inside(bytes, offset));
    const inUrls = base64.map((written) => written.replaceAll('+', '-').replaceAll('/', '_'));
    const all: readonly (readonly [string, string | Buffer])[] = [
      ['raw', piece],
      ['URL-encoded', encodeURIComponent(piece)],
      ['hex', bytes.toString('hex')],
      ['hex', numbers.map((number) => number.toString(16).padStart(2, '0')).join(' ')],
      ['numbers', numbers.join(',')],
      ['UTF-16', Buffer.from(piece, 'utf16le')],
      ...[...new Set([...base64, ...inUrls])].map((written) => ['base64', written] as const),
    ];
    return all.map(([form, written]) => ({ canary, form, written: lowered(Buffer.from(written)) }));
  });
}

/** Looks for all forms in one pass: each is known by its first four bytes. */
function* found(bytes: Buffer, forms: readonly Form[]): Generator<Form & { readonly at: number }> {
  const byHead = Map.groupBy(forms, ({ written }) => written.readInt32BE(0));
  let head = 0;
  for (let end = 0; end < bytes.length; end += 1) {
    head = (head << 8) | (bytes[end] ?? 0);
    for (const form of byHead.get(head) ?? []) {
      const at = end - 3;
      if (form.written.equals(bytes.subarray(at, at + form.written.length))) yield { ...form, at };
    }
  }
}

const around = (bytes: Buffer, at: number): string =>
  bytes.toString('latin1', Math.max(0, at - 80), at + 80).replaceAll(/[^ -~]/g, '.');

/** The first position of each canary in each form. Bytes are searched as they are, texts as UTF-8. */
export function sightings(haystack: string | Buffer, canaries: readonly Canary[]): Sighting[] {
  const bytes = Buffer.from(haystack);
  const seen = new Map<string, Sighting>();
  for (const { canary, form, at } of found(lowered(bytes), canaries.flatMap(formsOf))) {
    const name = `${canary} ${form}`;
    if (!seen.has(name)) seen.set(name, { canary, form, where: around(bytes, at) });
  }
  return [...seen.values()];
}

/** The names of the canaries that were found, sorted. */
export const seenIn = (haystack: string | Buffer, canaries: readonly Canary[]): string[] =>
  [...new Set(sightings(haystack, canaries).map(({ canary }) => canary))].toSorted();
