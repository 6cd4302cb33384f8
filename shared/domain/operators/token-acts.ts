/** Operators' acts on API tokens. */
import * as z from 'zod';
import { id, text } from '../../contracts/fields.ts';
import { monthlyCapLimit, tokenNameLimit } from '../../contracts/limits.ts';
import { scopes } from '../../contracts/scopes.ts';
import { timestamp } from '../../platform/clock.ts';
import type { WebhookTokens } from '../../platform/webhook-secrets.ts';
import { tokenForms } from '../act-forms/token-forms.ts';
import type { Stores } from '../stores.ts';
import { issueToken } from '../tokens/issue-token.ts';
import { tokenStore } from '../tokens/token-store.ts';
import { act } from './act.ts';
import { aboutAccount, aboutPartOf, findAccount, missing } from './find-subject.ts';
import type { ActNeeds } from './perform-act.ts';

type Needs = ActNeeds & Pick<Stores, 'accounts'>;

const cap = () => z.int().min(1).max(monthlyCapLimit);

export const createToken = act({
  name: 'createToken',
  role: 'admin',
  summary: 'Create a token of an account, which is shown once.',
  commits: 'in-steps',
  isForCommandLine: true,
  isSecret: true,
  input: () =>
    z.strictObject({
      account: id(),
      name: text(1, tokenNameLimit),
      scopes: z.array(z.enum(scopes)).min(1),
      /** In milliseconds since the epoch. */
      expires: z.int().optional(),
      cap: cap().optional(),
      test: z.boolean().default(false),
    }),
  async find(needs: Needs & { readonly webhookSecrets: WebhookTokens }, { account }) {
    await findAccount(needs, account);
    return { ...aboutAccount(account), state: {} };
  },
  async perform(needs, { account: accountId, name, scopes: allowed, expires, cap: monthlyCreditCap, test }) {
    return issueToken(needs, {
      accountId,
      name,
      scopes: allowed,
      ...(test && { mode: 'test' }),
      ...(expires !== undefined && { expiresAt: expires }),
      ...(monthlyCreditCap !== undefined && { monthlyCreditCap }),
    });
  },
  changed: ({ tokenId }) => ({ tokenId }),
});

/** Finds a token of an account, as the log shows it. @throws {Rejection} not-found */
async function findToken(needs: Needs, accountId: string, tokenId: string) {
  await findAccount(needs, accountId);
  const found = (await tokenStore(needs.table).list(accountId)).find((one) => one.tokenId === tokenId);
  return { ...aboutPartOf(accountId, `token ${tokenId}`), state: found };
}

const noToken = (accountId: string, tokenId: string) => missing(`token ${tokenId} of account ${accountId}`);

export const setTokenCap = act({
  ...tokenForms.setTokenCap,
  commits: 'at-once',
  async find(needs: Needs, { account, token }) {
    const found = await findToken(needs, account, token);
    if (!found.state) throw noToken(account, token);
    return { ...found, before: { monthlyCreditCap: found.state.monthlyCreditCap ?? null } };
  },
  after: ({ cap: monthlyCreditCap }) => ({ monthlyCreditCap }),
  async perform(_needs, { account, token, cap: monthlyCreditCap }, { recording }) {
    const change = await tokenStore(recording()).setCap(account, token, monthlyCreditCap ?? undefined);
    if (change !== 'set') throw noToken(account, token);
    return { tokenId: token, monthlyCreditCap };
  },
});

export const revokeToken = act({
  ...tokenForms.revokeToken,
  commits: 'at-once',
  async find(needs: Needs, { account, token }) {
    const found = await findToken(needs, account, token);
    // A token that ended long ago is in no list, but can be revoked.
    const revokedAt = found.state?.revokedAt;
    return { ...found, before: { revoked: revokedAt === undefined ? null : timestamp(revokedAt) } };
  },
  after: () => ({ revoked: true }),
  async perform({ clock }, { account, token }, { recording }) {
    if (!(await tokenStore(recording()).revoke(account, token, clock.now()))) throw noToken(account, token);
    return { tokenId: token, revoked: true };
  },
});
