/** Signs the Content Credentials of results with a P-256 key, whose certificates name the service. */
import { sign, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { contentSignatureFromKms } from './content-signature-from-kms.ts';
import { NotCertified } from './not-certified.ts';
import type { PortSource } from './port-source.ts';
import { secretsManager } from './secrets.ts';
import type { Settings } from './settings.ts';

export interface ContentSigner {
  /**
   * The certificates in DER: the key's own, and those of its issuers in order, usually without the root. @throws
   * {NotCertified}
   */
  certificates(): Promise<readonly Uint8Array[]>;
  /** An ECDSA signature with SHA-256, as 64 bytes: r and s. */
  sign(message: Uint8Array): Promise<Uint8Array>;
}

const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates in a PEM text, in DER. @throws {Error} if there are none */
function certificatesIn(text: string): readonly Uint8Array[] {
  const certificates = [...text.matchAll(pem)].map(([one]) => new Uint8Array(new X509Certificate(one).raw));
  if (certificates.length === 0) throw new Error('the certificates of the key that signs content are missing');
  return certificates;
}

/** How long a signer without certificates waits before it checks again whether they are stored. */
const askAgainMs = 60_000;

const isMissing = (error: unknown): boolean => (error as Error).name === 'ResourceNotFoundException';

/** Signs with a key in a file, for local development. */
const signatureFromFile =
  ({ contentSigningKey }: Settings): ContentSigner['sign'] =>
  async (message) =>
    sign('sha256', message, { key: await readFile(contentSigningKey), dsaEncoding: 'ieee-p1363' });

/** The configured signer: a KMS key if the setting is an ARN, otherwise a file. */
export function contentSigner({ settings, clock }: PortSource): ContentSigner {
  const secrets = secretsManager({ settings, clock });
  const isInKms = settings.contentSigningKey.startsWith('arn:');
  let missingUntil = 0;
  return {
    async certificates() {
      if (clock.now() < missingUntil) throw new NotCertified();
      try {
        return certificatesIn(await secrets.read(settings.contentCertificates));
      } catch (error) {
        if (!isMissing(error)) throw error;
        missingUntil = clock.now() + askAgainMs;
        throw new NotCertified();
      }
    },
    sign: isInKms ? contentSignatureFromKms(settings) : signatureFromFile(settings),
  };
}
