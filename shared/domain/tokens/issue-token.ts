/** Issues an API token. Its text and its webhook token are shown once and never stored. */
import { tokenNameBytes } from '../../contracts/limits.ts';
import type { Scope } from '../../contracts/scopes.ts';
import type { TokenMode } from '../../contracts/token-modes.ts';
import { type Ids, timeOfId } from '../../platform/ids.ts';
import type { WebhookTokens } from '../../platform/webhook-secrets.ts';
import { accountClosed, isClosed, requireOpen } from '../accounts/closed-account.ts';
import { testAccountActions } from '../accounts/test-purse.ts';
import { Rejection } from '../rejection.ts';
import type { Stores } from '../stores.ts';
import { testAccountOf } from '../test-account.ts';
import { tokenDigest, tokenSecretBytes, tokenText } from './token.ts';
import { insertTokenHandle } from './token-handle.ts';
import { type TokenConditions, tokenStore } from './token-store.ts';

export interface NewToken {
  readonly accountId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The mode of the token, `live` by default. */
  readonly mode?: TokenMode;
  /** When the token expires, in milliseconds since the epoch; absent if it never expires. */
  readonly expiresAt?: number;
  /** How many credits the tasks of a calendar month (UTC) may cost; absent if there is no cap. */
  readonly monthlyCreditCap?: number;
}

export interface IssuedToken {
  readonly token: string;
  readonly tokenId: string;
  readonly webhookToken: string;
}

interface Needs extends Pick<Stores, 'accounts' | 'table'> {
  readonly ids: Ids;
  readonly webhookSecrets: WebhookTokens;
}

/**
 * Issues a token; without a `limit`, as for operators, an account may have any number. @throws {Rejection} invalid,
 * too-many-tokens, or unconfirmed if the condition `given` does not hold @throws {Error} if the account does not exist
 */
export async function issueToken(
  needs: Needs,
  { accountId, ...request }: NewToken,
  conditions: TokenConditions = {},
): Promise<IssuedToken> {
  const { accounts, ids, table, webhookSecrets } = needs;
  if (Buffer.byteLength(request.name) > tokenNameBytes) {
    throw new Rejection('invalid', { message: `name must be at most ${tokenNameBytes} bytes in UTF-8` });
  }
  if (!(await accounts.find(accountId))) throw new Error(`there is no account ${accountId}`);
  const tokenId = ids.next();
  const token = tokenText(ids.secret(tokenSecretBytes));
  // The webhook token is derived before the token is stored: if this failed afterwards, a token that was never shown
  // would count toward the limit.
  const webhookToken = await webhookSecrets.webhookTokenOf(tokenId);
  const alongside = async () => {
    const owner = await accounts.find(accountId);
    if (owner && isClosed(owner)) throw accountClosed();
    // The first test token of an account creates the test account.
    const isFirst = request.mode === 'test' && !(await accounts.find(testAccountOf(accountId)));
    return [requireOpen(accountId), ...(isFirst ? testAccountActions(needs, accountId, timeOfId(tokenId)) : [])];
  };
  const stored = { tokenId, accountId, ...request };
  const digest = tokenDigest(token);
  const handle = insertTokenHandle(digest, stored, token);
  const insertion = await tokenStore(table).insert(digest, stored, { ...conditions, alongside, handle });
  if (insertion === 'unmet') throw new Rejection('unconfirmed');
  if (insertion === 'full') throw new Rejection('too-many-tokens');
  return { token, tokenId, webhookToken };
}
