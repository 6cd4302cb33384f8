/** Checks certificates of the key that signs results, before they are stored and afterwards. */
import { type KeyObject, X509Certificate } from 'node:crypto';
import { dayMs } from '../../shared/platform/clock.ts';

/** How long before its expiry a certificate should be replaced. */
export const noticeDays = 30;

/** The extended key usages that readers accept: email protection, document signing, and the one defined by C2PA. */
const acceptedUsages = ['1.3.6.1.5.5.7.3.4', '1.3.6.1.5.5.7.3.36', '1.3.6.1.4.1.62558.2.1'];

export interface JudgedCertificates {
  readonly signer: string;
  readonly validUntil: string;
  readonly daysLeft: number;
  /** Why the credentials of results would be invalid with these certificates; empty if they would be valid. */
  readonly problems: readonly string[];
}

const commonNameOf = ({ subject }: X509Certificate): string => /^CN=(.+)$/m.exec(subject)?.[1] ?? subject;

const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function parse(text: string): readonly X509Certificate[] | undefined {
  try {
    const chain = [...text.matchAll(pem)].map(([one]) => new X509Certificate(one));
    return chain.length > 0 ? chain : undefined;
  } catch {
    return undefined;
  }
}

function problemsOf(chain: readonly X509Certificate[], key: KeyObject, now: number): string[] {
  const [own] = chain as [X509Certificate];
  const isBroken = chain.some((one, index) => {
    const issuer = chain[index + 1];
    return issuer !== undefined && !one.verify(issuer.publicKey);
  });
  const isValid = chain.every(
    ({ validFromDate, validToDate }) => validFromDate.getTime() <= now && now < validToDate.getTime(),
  );
  const usages = own.keyUsage ?? [];
  return [
    ...(own.publicKey.equals(key) ? [] : ['The first certificate is not that of the key in KMS.']),
    ...(isBroken
      ? ['A certificate is not signed by the one after it: the key’s own must be first, then its issuers.']
      : []),
    ...(isValid ? [] : ['A certificate is not valid today.']),
    ...(own.ca ? ['The first certificate is that of an authority.'] : []),
    ...(acceptedUsages.some((usage) => usages.includes(usage))
      ? []
      : [`The first certificate has none of the extended key usages ${acceptedUsages.join(', ')}.`]),
  ];
}

/** Checks the certificates in a PEM text; undefined if it contains none. */
export function judgeCertificates(text: string, key: KeyObject, now: number): JudgedCertificates | undefined {
  const chain = parse(text);
  const [own] = chain ?? [];
  if (!chain || !own) return undefined;
  const end = Math.min(...chain.map(({ validToDate }) => validToDate.getTime()));
  return {
    signer: commonNameOf(own),
    validUntil: new Date(end).toISOString(),
    daysLeft: Math.floor((end - now) / dayMs),
    problems: problemsOf(chain, key, now),
  };
}
