/**
 * Certifies the key that signs content with an authority of the service's own. The authority's private key is discarded
 * after it has signed this one certificate, so trusting the authority means trusting only this key.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface Certified {
  /** The certificate of the key, and that of its authority, in PEM. */
  readonly certificate: string;
  readonly authority: string;
}

/** An item of DER (X.690): its tag, the length of its content, and the content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const octets = (...parts: readonly Uint8Array[]): Buffer => der(0x04, ...parts);
const objectId = (digits: string): Buffer => der(0x06, hex(digits));

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));

const attribute = (id: string, text: string): Buffer => der(0x31, sequence(objectId(id), der(0x0c, Buffer.from(text))));

/** A name with the attributes that C2PA's readers show: organization and common name. */
const nameOf = (commonName: string): Buffer =>
  sequence(attribute('55040a', 'Generation Service'), attribute('550403', commonName));

/** Dates until 2049 have two digits for the year, later ones four (RFC 5280, section 4.1.2.5). */
function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\..*/g, '');
  return date.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : der(0x18, Buffer.from(`${digits}Z`));
}

const critical = der(0x01, hex('ff'));

interface Subject {
  readonly name: string;
  readonly publicKey: KeyObject;
}

const keyIdOf = ({ publicKey }: Subject): Buffer =>
  createHash('sha1')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest();

const identifiers = (subject: Subject, issuer: Subject): Buffer[] => [
  sequence(objectId('551d0e'), octets(octets(keyIdOf(subject)))),
  sequence(objectId('551d23'), octets(sequence(der(0x80, keyIdOf(issuer))))),
];

/** An authority signs certificates; its basic constraints and key usage say so. */
const ofAuthority = [
  sequence(objectId('551d13'), critical, octets(sequence(critical))),
  sequence(objectId('551d0f'), critical, octets(hex('03020106'))),
];

/** C2PA accepts signers whose extended key usage is `emailProtection`. */
const ofSigner = [
  sequence(objectId('551d13'), critical, octets(sequence())),
  sequence(objectId('551d0f'), critical, octets(hex('03020780'))),
  sequence(objectId('551d25'), critical, octets(sequence(objectId('2b06010505070304')))),
];

interface Validity {
  readonly from: Date;
  readonly until: Date;
}

function pemOf(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

function certificateOf(
  subject: Subject,
  issuer: Subject & { readonly privateKey: KeyObject },
  { from, until }: Validity,
  extensions: readonly Buffer[],
): string {
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const content = sequence(
    der(0xa0, der(0x02, hex('02'))),
    der(0x02, serial),
    ecdsaWithSha256,
    nameOf(issuer.name),
    sequence(time(from), time(until)),
    nameOf(subject.name),
    subject.publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(...extensions, ...identifiers(subject, issuer))),
  );
  const signature = sign('sha256', content, issuer.privateKey);
  return pemOf('CERTIFICATE', sequence(content, ecdsaWithSha256, der(0x03, hex('00'), signature)));
}

/** Certifies a P-256 key. */
export function certifyContentKey(publicKey: KeyObject, name: string, validity: Validity): Certified {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const authority = { name: `${name} authority`, ...keys };
  return {
    certificate: certificateOf({ name, publicKey }, authority, validity, ofSigner),
    authority: certificateOf(authority, authority, validity, ofAuthority),
  };
}

/** A request to certify a key (PKCS #10), which is signed with it. `sign` returns a signature in DER. */
export async function certificateRequest(
  publicKey: KeyObject,
  name: string,
  sign: (content: Uint8Array) => Promise<Uint8Array>,
): Promise<string> {
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const content = sequence(der(0x02, hex('00')), nameOf(name), spki, der(0xa0));
  return pemOf('CERTIFICATE REQUEST', sequence(content, ecdsaWithSha256, der(0x03, hex('00'), await sign(content))));
}
