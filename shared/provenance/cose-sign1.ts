/** COSE_Sign1 (RFC 9052) with the certificates of its signer (RFC 9360), in the form that C2PA embeds. */

type Cbor = number | string | null | Uint8Array | readonly Cbor[] | ReadonlyMap<number | string, Cbor>;

/** The head of a CBOR item (RFC 8949, section 3): its major type and its argument. */
function head(majorType: number, argument: number): Buffer {
  const type = majorType << 5;
  if (argument < 24) return Buffer.from([type | argument]);
  if (argument < 0x100) return Buffer.from([type | 24, argument]);
  if (argument < 0x1_0000) return Buffer.from([type | 25, argument >> 8, argument & 0xff]);
  const bytes = Buffer.from([type | 26, 0, 0, 0, 0]);
  bytes.writeUInt32BE(argument, 1);
  return bytes;
}

function encode(value: Cbor): Buffer {
  if (value === null) return Buffer.from([0xf6]);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map) {
    const entries = [...(value as ReadonlyMap<number | string, Cbor>)];
    return Buffer.concat([head(5, value.size), ...entries.flatMap(([key, item]) => [encode(key), encode(item)])]);
  }
  const items = value as readonly Cbor[];
  return Buffer.concat([head(4, items.length), ...items.map(encode)]);
}

const nothing = new Uint8Array();
/** COSE's tag of a COSE_Sign1, and the numbers of its headers and of the algorithm ES256. */
const sign1Tag = 18;
const headers = { algorithm: 1, certificates: 33 } as const;
const es256 = -7;

/** The protected header: the algorithm, and the certificates, the signer's first. */
export function protectedHeader(certificates: readonly Uint8Array[]): Uint8Array {
  const [first = nothing, ...issuers] = certificates;
  const chain = issuers.length === 0 ? first : certificates;
  return encode(
    new Map<number, Cbor>([
      [headers.algorithm, es256],
      [headers.certificates, chain],
    ]),
  );
}

/** The bytes that are signed: the Sig_structure of RFC 9052, section 4.4. */
export const toBeSigned = (header: Uint8Array, payload: Uint8Array): Uint8Array =>
  encode(['Signature1', header, nothing, payload]);

/** The bytes that a time stamp is about: those of a countersignature of the signature. */
export const toBeStamped = (header: Uint8Array, signature: Uint8Array): Uint8Array =>
  encode(['CounterSignature', header, nothing, encode(signature)]);

interface Signed {
  readonly header: Uint8Array;
  readonly signature: Uint8Array;
  /** The token of a time stamp, in the form of C2PA: `sigTst2`. */
  readonly timeStamp?: Uint8Array | undefined;
}

/** A COSE_Sign1 without its payload, padded to exactly `size` bytes. @throws {RangeError} if it does not fit */
export function coseSign1({ header, signature, timeStamp }: Signed, size: number): Uint8Array<ArrayBuffer> {
  const stamps: [string, Cbor][] = timeStamp
    ? [['sigTst2', new Map([['tstTokens', [new Map([['val', timeStamp]])]]])]]
    : [];
  const padded = (length: number, more: readonly [string, Cbor][]): Buffer => {
    const unprotected = new Map<string, Cbor>([...stamps, ['pad', new Uint8Array(length)], ...more]);
    return Buffer.concat([head(6, sign1Tag), encode([header, unprotected, null, signature])]);
  };
  // The length of the padding is itself stored in one to three bytes, so that one padding cannot have every length.
  for (const more of [[], [['pad2', new Uint8Array(1)]]] satisfies [string, Cbor][][]) {
    const missing = size - padded(0, more).length;
    for (const lengthBytes of [0, 1, 2]) {
      const message = missing >= lengthBytes ? padded(missing - lengthBytes, more) : undefined;
      if (message?.length === size) return new Uint8Array(message);
    }
  }
  throw new RangeError(`the signature and its certificates do not fit into ${size} bytes`);
}
