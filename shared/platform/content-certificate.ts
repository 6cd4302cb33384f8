/** Tells when the certificate of the key that signs content expires. */
import { X509Certificate } from 'node:crypto';
import { dayMs } from './clock.ts';
import { contentSigner } from './content-signer.ts';
import { NotCertified } from './not-certified.ts';
import type { PortSource } from './port-source.ts';

export interface ContentCertificate {
  /**
   * In how many days the first of the key’s certificates expires; undefined if nothing is signed, or the key has no
   * certificate yet.
   */
  daysLeft(): Promise<number | undefined>;
}

export function contentCertificate({ settings, clock }: PortSource): ContentCertificate {
  if (settings.contentSigningKey === 'none') return { daysLeft: async () => undefined };
  const signer = contentSigner({ settings, clock });
  return {
    async daysLeft() {
      try {
        const ends = (await signer.certificates()).map((one) => new X509Certificate(one).validToDate.getTime());
        return (Math.min(...ends) - clock.now()) / dayMs;
      } catch (error) {
        if (error instanceof NotCertified) return undefined;
        throw error;
      }
    },
  };
}
