/** Signs manifests with the key of the service. */
import { X509Certificate } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import type { ContentSigner } from '../platform/content-signer.ts';
import { coseSign1, protectedHeader, toBeSigned, toBeStamped } from './cose-sign1.ts';
import { maxTokenBytes, type TimeStamp } from './time-stamp.ts';

/** Space for a signature and its headers, in addition to the certificates. */
const signatureBytes = 512;

type Sign = (payload: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>;

/** What the library needs to sign a manifest. */
export interface SignerDefinition {
  readonly alg: string;
  /** The exact size of what `sign` returns. */
  readonly reserveSize: number;
  readonly sign: Sign;
}

export interface ManifestSigner {
  readonly definition: SignerDefinition;
  /** Fills the place of the signature in a draft, from which the size of the manifest is learned. */
  readonly placeholder: SignerDefinition;
  readonly signedBy: string;
  /** Whether a time stamp was requested but not received; known after signing. */
  isUnstamped(): boolean;
  /** Errors of the signing key, kept here because the library would replace them by its own. */
  readonly failures: readonly unknown[];
}

function commonNameOf(certificate: Uint8Array | undefined): string {
  const { subject } = new X509Certificate(certificate ?? new Uint8Array());
  return /^CN=(.+)$/m.exec(subject)?.[1] ?? 'unknown';
}

/** Checks the certificates, which the library itself does only for files that it has as a whole. @throws {Error} */
function requireValid(certificates: readonly Uint8Array[], now: number): void {
  const dates = certificates.map((one) => new X509Certificate(one));
  if (dates.every(({ validFromDate, validToDate }) => validFromDate.getTime() <= now && now <= validToDate.getTime()))
    return;
  const error = new Error('a certificate of the key that signs content has ended, or is not valid yet');
  throw Object.assign(error, { name: 'CertificateNotValid' });
}

interface Needs {
  readonly signer: ContentSigner;
  readonly clock: Clock;
  readonly stamp?: TimeStamp | undefined;
}

/**
 * Prepares the signing of one file, with a time stamp if there is an authority that answers. @throws {Error} if a
 * certificate is not valid
 */
export async function manifestSigner({ signer, clock, stamp }: Needs): Promise<ManifestSigner> {
  const certificates = await signer.certificates();
  requireValid(certificates, clock.now());
  const header = protectedHeader(certificates);
  const reserveSize = header.length + signatureBytes + (stamp ? maxTokenBytes : 0);
  let isUnstamped = false;
  const failures: unknown[] = [];
  const definition = (sign: Sign): SignerDefinition => ({ alg: 'es256', reserveSize, sign });
  return {
    definition: definition(async (payload) => {
      const signature = await signer.sign(toBeSigned(header, payload)).catch((error: unknown) => {
        failures.push(error);
        throw error;
      });
      const timeStamp = await stamp?.(toBeStamped(header, signature)).catch(() => undefined);
      isUnstamped = stamp !== undefined && !timeStamp;
      return coseSign1({ header, signature, timeStamp }, reserveSize);
    }),
    placeholder: definition(async () => new Uint8Array(reserveSize)),
    isUnstamped: () => isUnstamped,
    signedBy: commonNameOf(certificates[0]),
    failures,
  };
}
