import { dashboardClosureContracts } from '../../shared/contracts/dashboard-closure.ts';
import { closureOf } from '../../shared/domain/accounts/closed-account.ts';
import { closeAccount as close, shutOut } from '../../shared/domain/privacy/closing.ts';
import { markOfClosed } from '../../shared/domain/sessions/closed-session.ts';
import { accounts } from '../../shared/domain/store-ports.ts';
import { confirmOwner } from '../../shared/domain/tokens/confirm-owner.ts';
import { identityProvider } from '../../shared/gateways/identity-provider.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Closes the account of its owner, who must have confirmed their identity. */
export const closeAccount: DashboardOperation<'closeAccount', 'accounts' | 'identity'> = async (
  { actor: { accountId, digest, session }, body: { password }, fail },
  context,
) => {
  const closure = async () => {
    const account = await context.accounts.find(accountId);
    return account && closureOf(account, context.clock.now());
  };
  const earlier = await closure();
  if (earlier) {
    // The call that closed it may have ended early.
    await shutOut(context, accountId);
    return earlier;
  }
  const given = [markOfClosed(await confirmOwner(context, { session, digest, password }))];
  await close(context, accountId, { given, isByOwner: true });
  return (await closure()) ?? fail('CONFIRMATION_REQUIRED');
};

export const definition = sessionLambda(dashboardClosureContracts.closeAccount, closeAccount, {
  accounts,
  identity: identityProvider,
});
