/** Signs the Content Credentials of results with a P-256 key, whose certificates name the service. */
import { sign, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Settings } from './settings.ts';

export interface ContentSigner {
  /** The certificates in DER: the key's own, and those of its issuers in order, usually without the root. */
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

/** A signer with a key in a file. */
export const contentSigner = ({
  contentSigningKey,
  contentCertificates,
}: Pick<Settings, 'contentSigningKey' | 'contentCertificates'>): ContentSigner => ({
  certificates: async () => certificatesIn(contentCertificates),
  sign: async (message) =>
    sign('sha256', message, { key: await readFile(contentSigningKey), dsaEncoding: 'ieee-p1363' }),
});
