/** Creates an API token. Its text and its webhook token are shown once, and neither is stored. */
import type { Scope } from '../../contracts/scopes.ts';
import type { Ids } from '../../platform/ids.ts';
import type { WebhookSecrets } from '../../platform/webhook-secrets.ts';
import type { Stores } from '../stores.ts';
import { tokenDigest, tokenSecretBytes, tokenText } from './token.ts';

export interface NewToken {
  readonly accountId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Milliseconds; absent for a token that never expires. */
  readonly expiresAt?: number;
}

export interface CreatedToken {
  readonly token: string;
  readonly tokenId: string;
  readonly webhookToken: string;
}

interface Needs extends Stores {
  readonly ids: Ids;
  readonly webhookSecrets: WebhookSecrets;
}

/** @throws {Error} when the account does not exist. */
export async function createToken(
  { accounts, ids, tokens, webhookSecrets }: Needs,
  { accountId, ...request }: NewToken,
): Promise<CreatedToken> {
  if (!(await accounts.find(accountId))) throw new Error(`there is no account ${accountId}`);
  const tokenId = ids.next();
  const token = tokenText(ids.secret(tokenSecretBytes));
  await tokens.insert(tokenDigest(token), { tokenId, accountId, ...request });
  return { token, tokenId, webhookToken: await webhookSecrets.webhookTokenOf(tokenId) };
}
