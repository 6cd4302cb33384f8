import { dashboardTokenContracts } from '../../shared/contracts/dashboard-tokens.ts';
import { tokenYearsLimit } from '../../shared/contracts/limits.ts';
import { accounts } from '../../shared/domain/store-ports.ts';
import { createOwnToken } from '../../shared/domain/tokens/create-own-token.ts';
import { guessStore } from '../../shared/domain/tokens/guess-store.ts';
import { presentToken } from '../../shared/domain/tokens/token.ts';
import { identityProvider } from '../../shared/gateways/identity-provider.ts';
import { addMonths } from '../../shared/platform/calendar.ts';
import { webhookTokensOf } from '../../shared/platform/webhook-secrets.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Creates a token for the account's owner, who must have confirmed their identity, and returns its secrets once. */
export const createToken: DashboardOperation<'createToken', 'identity' | 'webhookTokens' | 'accounts'> = async (
  { actor: { digest, session }, body, fail },
  context,
) => {
  const { name, mode, password, scopes, expiresAt: expiry, monthlyCreditCap } = body;
  const now = context.clock.now();
  const expiresAt = expiry === undefined ? undefined : Date.parse(expiry);
  if (expiresAt !== undefined && (expiresAt <= now || expiresAt > addMonths(now, 12 * tokenYearsLimit))) {
    fail('VALIDATION_ERROR', { message: `expiresAt must be in the future, at most ${tokenYearsLimit} years from now` });
  }
  const request = {
    name,
    mode,
    scopes,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(monthlyCreditCap !== undefined && { monthlyCreditCap }),
  };
  const needs = { ...context, webhookSecrets: context.webhookTokens, guesses: guessStore(context.table) };
  const { token, tokenId, webhookToken } = await createOwnToken(needs, { session, digest, password }, request);
  return { ...presentToken({ tokenId, accountId: session.accountId, ...request }), token, webhookToken };
};

export const definition = sessionLambda(dashboardTokenContracts.createToken, createToken, {
  accounts,
  identity: identityProvider,
  webhookTokens: webhookTokensOf,
});
