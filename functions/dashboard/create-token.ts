import { dashboardTokenContracts } from '../../shared/contracts/dashboard-tokens.ts';
import { activeTokensLimit, tokenYearsLimit } from '../../shared/contracts/limits.ts';
import { accounts } from '../../shared/domain/store-ports.ts';
import { confirmOwner } from '../../shared/domain/tokens/confirm-owner.ts';
import { issueToken } from '../../shared/domain/tokens/issue-token.ts';
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
    accountId: session.accountId,
    name,
    mode,
    scopes,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(monthlyCreditCap !== undefined && { monthlyCreditCap }),
  };
  const given = await confirmOwner(context, { session, digest, password });
  const needs = { ...context, webhookSecrets: context.webhookTokens };
  const { token, tokenId, webhookToken } = await issueToken(needs, request, { limit: activeTokensLimit, given });
  return { ...presentToken({ tokenId, ...request }), token, webhookToken };
};

export const definition = sessionLambda(dashboardTokenContracts.createToken, createToken, {
  accounts,
  identity: identityProvider,
  webhookTokens: webhookTokensOf,
});
