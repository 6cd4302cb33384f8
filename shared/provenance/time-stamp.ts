/** Time stamps of an authority (RFC 3161), which prove that a signature existed at the time that it states. */
import { createHash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { collectBytes } from '../platform/limit-bytes.ts';

/** The most bytes of a time stamp token that fit in a manifest; tokens of known authorities have about 6 KB. */
export const maxTokenBytes = 8 * 1024;

/** Room for what a response contains besides the token: the status, and a text. */
const maxAnswerBytes = maxTokenBytes + 1024;

/** How long a result waits for its time stamp. */
const patienceMs = 5_000;

/** How long an authority that did not respond is not asked again, so that not every result has to wait for it. */
const askAgainMs = 60_000;

/** A time stamp of a message, as the authority’s signed token. @throws {Error} without anything that was received */
export type TimeStamp = (message: Uint8Array) => Promise<Uint8Array>;

const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');

/** The digest and its algorithm in DER (RFC 3161, section 2.4.1): SHA-256. */
const imprintOf = (message: Uint8Array): Buffer =>
  Buffer.concat([hex('3031300d060960864801650304020105000420'), createHash('sha256').update(message).digest()]);

/**
 * A request for a time stamp, with the authority's certificates. It needs no nonce, because the digest of a signature
 * is already unique.
 */
export const timeStampRequest = (message: Uint8Array): Uint8Array =>
  Buffer.concat([hex('3039020101'), imprintOf(message), hex('0101ff')]);

interface Item {
  readonly tag: number;
  readonly content: Buffer;
  /** The item with its tag and length. */
  readonly whole: Buffer;
}

/** The items of DER (X.690) in some bytes. @throws {RangeError} if one is incomplete */
function itemsOf(bytes: Buffer): readonly Item[] {
  const items: Item[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes.readUInt8(at);
    const short = bytes.readUInt8(at + 1);
    const lengthBytes = short < 0x80 ? 0 : short & 0x7f;
    const length = lengthBytes === 0 ? short : bytes.readUIntBE(at + 2, lengthBytes);
    const start = at + 2 + lengthBytes;
    if (start + length > bytes.length) throw new RangeError('an item is incomplete');
    items.push({ tag, content: bytes.subarray(start, start + length), whole: bytes.subarray(at, start + length) });
    at = start + length;
  }
  return items;
}

const failed = (why: string): Error =>
  Object.assign(new Error(`the time stamp authority ${why}`), { name: 'TimeStampFailed' });

/** The statuses "granted" and "granted with modifications" (RFC 3161, section 2.4.2). */
const granted = ['00', '01'];

/** The token in a response. Its signature is not verified here: programs that read the manifest do that. */
function tokenIn(answer: Uint8Array, message: Uint8Array): Uint8Array {
  let items: readonly Item[];
  try {
    const [response] = itemsOf(Buffer.from(answer));
    items = itemsOf(response?.content ?? Buffer.alloc(0));
    const [status] = itemsOf(items[0]?.content ?? Buffer.alloc(0));
    if (!granted.includes(status?.content.toString('hex') ?? '')) throw failed('refused');
  } catch (error) {
    throw error instanceof RangeError ? failed('sent something else') : error;
  }
  const token = items[1]?.whole;
  if (!token?.includes(imprintOf(message))) throw failed('stamped something else');
  if (token.length > maxTokenBytes) throw failed('sent too much');
  return token;
}

async function answerOf(url: string, message: Uint8Array): Promise<Uint8Array | undefined> {
  const { ok, body } = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query' },
    body: new Uint8Array(timeStampRequest(message)),
    redirect: 'error',
    signal: AbortSignal.timeout(patienceMs),
  });
  if (!ok) await body?.cancel();
  return ok ? collectBytes(body ?? [], maxAnswerBytes) : undefined;
}

/** Time stamps of the authority at an address. */
export function timeStampsOf(url: string, clock: Clock): TimeStamp {
  let silentUntil = 0;
  return async (message) => {
    const isAsked = clock.now() >= silentUntil;
    const answer = isAsked ? await answerOf(url, message).catch(() => undefined) : undefined;
    if (answer) return tokenIn(answer, message);
    if (isAsked) silentUntil = clock.now() + askAgainMs;
    throw failed('did not answer');
  };
}
