/** Operators' acts on accounts, and on who can log in. */
import { operatorGrantLimit } from '../../contracts/grants.ts';
import { timestamp } from '../../platform/clock.ts';
import { TransactionCanceled } from '../../platform/dynamo-table.ts';
import { setRetention } from '../accounts/account-retention.ts';
import { chargesBarredUntil } from '../accounts/charged-failures.ts';
import { accountClosed, isClosed } from '../accounts/closed-account.ts';
import { newAccountActions } from '../accounts/create-account.ts';
import { countOn } from '../accounts/day-count.ts';
import { barredUntil, liftLimits, observedUntil } from '../accounts/long-results.ts';
import { reconcileAccount } from '../accounts/reconcile-account.ts';
import { accountForms } from '../act-forms/account-forms.ts';
import { onAccount } from '../act-forms/act-form.ts';
import { plansRow } from '../catalog/plans-row.ts';
import { Rejection } from '../rejection.ts';
import { presentRetention, requestedRetention } from '../retention.ts';
import { type Invitation, InvitationExists, invite } from '../sessions/invitation.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { Stores } from '../stores.ts';
import { act } from './act.ts';
import { aboutAccount, findAccount, missing } from './find-subject.ts';
import { countGranted } from './granted-credits.ts';
import type { ActNeeds } from './perform-act.ts';

type Needs = ActNeeds & Pick<Stores, 'accounts'>;

async function requirePlan({ catalog }: Pick<Stores, 'catalog'>, planId: string | undefined): Promise<void> {
  if (planId === undefined) return;
  const { plans } = await catalog.read(plansRow);
  if (plans.some((plan) => plan.id === planId)) return;
  throw new Rejection('invalid', { message: `plan must be one of ${plans.map((plan) => plan.id).join(', ')}` });
}

function standing({ accountId, acceptedAt, expiresAt = 0 }: Invitation): string {
  const invitation = `an invitation to ${accountId === undefined ? 'a new account' : `account ${accountId}`}`;
  return acceptedAt === undefined
    ? `The address has ${invitation}, which is valid until ${timestamp(expiresAt)}`
    : `The address accepted ${invitation} on ${timestamp(acceptedAt)}`;
}

/** Invites an address. @throws {Rejection} invalid, if it already has an invitation that is not to be replaced */
async function inviteOnce(...given: Parameters<typeof invite>): ReturnType<typeof invite> {
  try {
    return await invite(...given);
  } catch (error) {
    if (!(error instanceof InvitationExists)) throw error;
    const message = `${standing(error.invitation)}: nothing was changed, because it was not to be replaced.`;
    throw new Rejection('invalid', { message });
  }
}

export const createAccount = act({
  ...accountForms.createAccount,
  commits: 'at-once',
  async find(needs: Needs & Pick<Stores, 'catalog'>, { email, name, credits, plan }) {
    await requirePlan(needs, plan);
    const given = { email, name, credits, ...(plan !== undefined && { planId: plan }) };
    const state = await newAccountActions(needs, given);
    return { ...aboutAccount(state.accountId), state };
  },
  after: ({ credits, plan }) => ({ credits, plan: plan ?? null }),
  async perform(needs, { email, credits, replace: replaces }, { found, recording, ...by }) {
    const { accountId, actions } = found.state;
    const granted = countGranted(accountId, credits, by);
    try {
      await inviteOnce({ ...needs, table: recording() }, email, { accountId, replaces }, [...granted, ...actions]);
    } catch (error) {
      // The invitation is the first write.
      const isOver = error instanceof TransactionCanceled && error.failures.slice(1, 1 + granted.length).some(Boolean);
      if (!isOver) throw error;
      const message = `credits must be lower, since you gave others today (UTC) and can give ${operatorGrantLimit} a day: grant them afterwards, which another operator approves`;
      throw new Rejection('invalid', { message });
    }
    return { accountId };
  },
});

export const inviteOwner = act({
  ...accountForms.inviteOwner,
  commits: 'at-once',
  async find(needs: Needs, { account: accountId }) {
    if (accountId === undefined) return { subject: 'invitation to a new account', state: {} };
    if (isClosed(await findAccount(needs, accountId))) throw accountClosed();
    return { ...aboutAccount(accountId), state: {} };
  },
  after: ({ replace }) => ({ invitation: 'sent', replaces: replace }),
  async perform(needs, { email, account: accountId, replace: replaces }, { recording }) {
    const invitation = { replaces, ...(accountId !== undefined && { accountId }) };
    const { expiresAt } = await inviteOnce({ ...needs, table: recording() }, email, invitation);
    return { email, expiresAt: timestamp(expiresAt) };
  },
});

const timeOrNull = (at: number | undefined): string | null => (at === undefined ? null : timestamp(at));

export const liftLimitsOfAccount = act({
  ...accountForms.liftLimits,
  commits: 'at-once',
  async find(needs: Needs, { account: accountId }, { at }) {
    const found = await findAccount(needs, accountId);
    const before = {
      fileTasksRejectedUntil: timeOrNull(barredUntil(found, at)),
      fileTasksLimitedUntil: timeOrNull(observedUntil(found, at)),
      canceledToday: countOn(found.cancels, at),
      chargedFailuresToday: countOn(found.chargedFailures, at),
      chargedTasksRejectedUntil: timeOrNull(chargesBarredUntil(found, at)),
    };
    return { ...aboutAccount(accountId), before, state: before };
  },
  after: () => ({
    fileTasksRejectedUntil: null,
    fileTasksLimitedUntil: null,
    canceledToday: 0,
    chargedFailuresToday: 0,
    chargedTasksRejectedUntil: null,
  }),
  async perform(_needs, { account: accountId }, { at, reason, found, recording }) {
    await recording().transact([liftLimits(accountId, { at, reason })]);
    return { accountId, ...found.state };
  },
});

export const setRetentionOfAccount = act({
  ...accountForms.setRetention,
  commits: 'at-once',
  async find(needs: Needs, { account: accountId }) {
    const found = await findAccount(needs, accountId);
    if (isClosed(found)) throw accountClosed();
    const before = presentRetention(found.retention);
    return { ...aboutAccount(accountId), before, state: before };
  },
  after: ({ resultsDays, inputsDays }) => ({ resultsDays, inputsDays }),
  async perform(_needs, { account: accountId, ...periods }, { recording }) {
    await recording().transact([setRetention(accountId, requestedRetention(periods))]);
    return { accountId, ...periods };
  },
});

export const reconcileDrift = act({
  name: 'reconcileAccount',
  role: 'admin',
  summary: 'Set the balance of an account to the sum of its ledger, and its slots to its open tasks.',
  commits: 'in-steps',
  isForCommandLine: true,
  input: onAccount,
  async find(needs: ActNeeds & Stores, { account: accountId }) {
    const { balance } = await findAccount(needs, accountId);
    return { ...aboutAccount(accountId), before: { balance }, state: {} };
  },
  async perform(needs, { account: accountId }) {
    const { status, ...result } = await reconcileAccount(needs, accountId);
    if (status === 'missing') throw missing(`account ${accountId}`);
    if ('sum' in result) {
      const message = `The ledger of account ${accountId} adds up to ${result.sum}: grant the missing credits, then try again.`;
      throw new Rejection('invalid', { message });
    }
    if (!('balance' in result)) {
      const message = `Account ${accountId} changed in the meantime and was not modified: try again.`;
      throw new Rejection('in-progress', { message });
    }
    return { accountId, ...result };
  },
  changed: ({ accountId: _id, balanceBefore: _before, ...after }) => after,
});

export const endSessions = act({
  ...accountForms.endSessions,
  commits: 'in-steps',
  async find(needs: Needs & { readonly sessions: Pick<SessionStore, 'endAll'> }, { account: accountId }) {
    await findAccount(needs, accountId);
    return { ...aboutAccount(accountId), state: {} };
  },
  async perform({ sessions }, { account: accountId }, { at }) {
    return { accountId, sessionsEnded: await sessions.endAll(accountId, at) };
  },
  changed: ({ sessionsEnded }) => ({ sessionsEnded }),
});

/** An act without a change: the log of the account shows its reason, which is the note. */
export const addNote = act({
  ...accountForms.addNote,
  commits: 'in-steps',
  async find(needs: Needs, { account: accountId }) {
    await findAccount(needs, accountId);
    return { ...aboutAccount(accountId), state: {} };
  },
  perform: async (_needs, { account: accountId }) => ({ accountId }),
});
