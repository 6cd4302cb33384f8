/** API tokens: their format, and checks that need no table. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Scope } from '../../contracts/scopes.ts';
import type { TokenMode } from '../../contracts/token-modes.ts';
import { timestamp } from '../../platform/clock.ts';
import { timeOfId } from '../../platform/ids.ts';

/** A stored token. Its text is shown once and never stored. */
export interface Token {
  readonly tokenId: string;
  readonly accountId: string;
  readonly name: string;
  /** The mode of the token, `live` by default. */
  readonly mode?: TokenMode;
  readonly scopes: readonly Scope[];
  /** When the token expires, in milliseconds since the epoch; absent if it never expires. */
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  /** How many credits the tasks of a calendar month (UTC) may cost; absent if there is no cap. */
  readonly monthlyCreditCap?: number;
}

type TokenStatus = 'active' | 'expired' | 'revoked';

export function tokenStatus(
  { expiresAt, revokedAt }: Pick<Token, 'expiresAt' | 'revokedAt'>,
  now: number,
): TokenStatus {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active';
}

/** A token as its owner sees it. */
export const presentToken = ({ tokenId, name, mode = 'live', scopes, expiresAt, monthlyCreditCap }: Token) => ({
  tokenId,
  name,
  mode,
  scopes: [...scopes],
  createdAt: timestamp(timeOfId(tokenId)),
  expiresAt: expiresAt === undefined ? null : timestamp(expiresAt),
  monthlyCreditCap: monthlyCreditCap ?? null,
});

const form = /^av_[0-9a-f]{64}$/;

/** The last 8 of a token's 64 hex characters: a CRC-32 of the first 56, by which a typo is rejected without a read. */
const checksum = (hex: string): string => crc32(hex).toString(16).padStart(8, '0');

/** How many random bytes a token's text contains. */
export const tokenSecretBytes = 28;

export const tokenText = (secretHex: string): string => `av_${secretHex}${checksum(secretHex)}`;

export const isWellFormedToken = (token: string): boolean =>
  form.test(token) && token.slice(-8) === checksum(token.slice(3, -8));

/** The digest under which a token is stored. A token has 224 random bits, so no slow hash is needed. */
export const tokenDigest = (token: string): string => createHash('sha256').update(token).digest('base64url');
