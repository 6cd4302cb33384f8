import type { ConnectionProblem } from '../../shared/contracts/connecting.ts';
import { dashboardConnectionContracts } from '../../shared/contracts/dashboard-connections.ts';
import { requireAvailable } from '../../shared/domain/catalog/require-available.ts';
import { choosePage } from '../../shared/domain/piloto/pages/choose-page.ts';
import { connectionProblemOf } from '../../shared/domain/piloto/pages/complete-consent.ts';
import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { accounts, catalog } from '../../shared/domain/store-ports.ts';
import { socialNetwork } from '../../shared/gateways/social-networks.ts';
import { inboxQueue } from '../../shared/platform/queue.ts';
import { secretBoxOf } from '../../shared/platform/secret-box.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

const contract = dashboardConnectionContracts.chooseConnection;

const codes: Readonly<Partial<Record<ConnectionProblem, (typeof contract.errors)[number]>>> = {
  erasing: 'CONNECTION_ERASING',
  'other-page': 'OTHER_PAGE_CONNECTED',
  'other-account': 'PAGE_OF_OTHER_ACCOUNT',
  changing: 'CONNECTION_CHANGING',
  rejected: 'ACCESS_REJECTED',
  // The stage no longer has the social network that granted access.
  'not-offered': 'NOT_FOUND',
};

/** Connects one of several pages to which the account's owner has granted access. */
export const chooseConnection: DashboardOperation<
  'chooseConnection',
  'inboxQueue' | 'secretBox' | 'socialNetwork' | 'accounts' | 'catalog'
> = async ({ actor, body, fail, params: { channel } }, context) => {
  await requireAvailable(context, contract, actor.accountId);
  const needs = { ...context, connections: connectionStore(context.table) };
  const owner = { accountId: actor.accountId, digest: actor.digest, channel };
  const isChosen = await choosePage(needs, owner, body.pageId).catch((error: unknown) => {
    const problem = connectionProblemOf(error);
    if (!problem) throw error;
    const { outcome, reason, retryAfterSeconds } = problem;
    const internal = { ...(reason !== undefined && { internal: reason }) };
    const code = codes[outcome];
    if (code) return fail(code, internal);
    return fail('PROVIDER_UNAVAILABLE', { ...internal, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
  });
  return isChosen ? { channel } : fail('NOT_FOUND');
};

export const definition = sessionLambda(contract, chooseConnection, {
  accounts,
  catalog,
  inboxQueue,
  secretBox: secretBoxOf,
  socialNetwork,
});
