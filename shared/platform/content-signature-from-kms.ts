/** Signs content with a key that never leaves KMS. */
import { createHash } from 'node:crypto';
import { KMSClient, SignCommand } from '@aws-sdk/client-kms';
import type { ContentSigner } from './content-signer.ts';
import { mediumTimeoutClient } from './sdk-client.ts';
import type { Settings } from './settings.ts';

const numberBytes = 32;

/** The number at the beginning of a DER encoding, in 32 bytes, and what follows it. */
function firstNumber(der: Uint8Array): [number: Uint8Array, rest: Uint8Array] {
  const [tag, length = 0] = der;
  const digits = der.subarray(2, 2 + length);
  if (tag !== 0x02 || digits.length !== length || length > numberBytes + 1) throw new Error('not a signature in DER');
  const significant = digits.subarray(Math.max(0, length - numberBytes));
  const number = new Uint8Array(numberBytes);
  number.set(significant, numberBytes - significant.length);
  return [number, der.subarray(2 + length)];
}

/** Converts an ECDSA signature from DER to the 64 bytes of r and s (RFC 3279, section 2.2.3; RFC 9053, section 2.1). */
export function plainSignature(der: Uint8Array): Uint8Array {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) throw new Error('not a signature in DER');
  const [r, rest] = firstNumber(der.subarray(2));
  const [s] = firstNumber(rest);
  return Buffer.concat([r, s]);
}

/** Signs with a KMS key of type `ECC_NIST_P256`. Only the digest is sent: KMS accepts at most 4,096 bytes. */
export function contentSignatureFromKms(settings: Settings): ContentSigner['sign'] {
  const client = new KMSClient({ ...mediumTimeoutClient, ...settings.aws('KMS') });
  return async (message) => {
    const { Signature } = await client.send(
      new SignCommand({
        KeyId: settings.contentSigningKey,
        SigningAlgorithm: 'ECDSA_SHA_256',
        MessageType: 'DIGEST',
        Message: createHash('sha256').update(message).digest(),
      }),
    );
    if (!Signature) throw new Error('KMS responded without a signature');
    return plainSignature(Signature);
  };
}
