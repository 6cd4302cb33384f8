/** Operators' acts on credits. A grant above the daily limit becomes a request that another operator decides. */
import { grantLimit } from '../../contracts/grants.ts';
import { testPurseCredits } from '../../contracts/limits.ts';
import { dayMs } from '../../platform/clock.ts';
import { type Action, type Item, type Table, TransactionCanceled } from '../../platform/dynamo-table.ts';
import type { Account } from '../accounts/account.ts';
import { moveBalance } from '../accounts/account-store.ts';
import { accountClosed, isClosed, isOpen } from '../accounts/closed-account.ts';
import type { LedgerRow } from '../accounts/ledger.ts';
import { appendLedgerRow } from '../accounts/ledger-store.ts';
import { fillTestPurse } from '../accounts/test-purse.ts';
import { creditForms } from '../act-forms/credit-forms.ts';
import { rowCounts } from '../figures/counts.ts';
import { countFigures } from '../figures/figures-store.ts';
import { Rejection } from '../rejection.ts';
import type { Stores } from '../stores.ts';
import { testAccountOf } from '../test-account.ts';
import { act, type By } from './act.ts';
import { aboutAccount, aboutPartOf, findAccount, missing } from './find-subject.ts';
import { decideRequest, decisionDays, type GrantRequest, grantRequestStore, insertRequest } from './grant-requests.ts';
import { countGranted } from './granted-credits.ts';
import type { ActNeeds } from './perform-act.ts';

type Needs = ActNeeds & Pick<Stores, 'accounts'>;

const tooLow = (amount: number): Rejection =>
  new Rejection('invalid', {
    message: `The balance is too low to remove ${-amount} credits: it cannot go below zero.`,
  });

/** Why the balance of an account, as its row is now, cannot be changed. */
function unposted({ accountId, amount }: LedgerRow, account: Item | undefined): Rejection {
  if (!account) return missing(`account ${accountId}`);
  return amount > 0 && isClosed(account) ? accountClosed() : tooLow(amount);
}

const posting = (row: LedgerRow): Action[] => [
  moveBalance(row, row.amount > 0 ? [isOpen] : []),
  appendLedgerRow(row),
  ...countFigures(row.accountId, row.at, rowCounts(row)),
];

/**
 * Commits a change of the balance together with other writes. False if a condition of the other writes failed.
 * @throws {Rejection} if the account does not exist, is closed although credits are given, or the balance is too low
 */
async function isPosted(table: Table, first: readonly Action[], row: LedgerRow): Promise<boolean> {
  try {
    await table.transact([...first, ...posting(row)]);
    return true;
  } catch (error) {
    if (!(error instanceof TransactionCanceled)) throw error;
    const canceled = error.failures[first.length];
    if (canceled) throw unposted(row, canceled.item);
    if (error.failures.slice(0, first.length).some((failure) => failure !== undefined)) return false;
    throw error;
  }
}

/** The account of a grant. Credits can be removed from a closed account, but not given to it. @throws {Rejection} */
async function findGranted(needs: Pick<Needs, 'accounts'>, accountId: string, amount: number): Promise<Account> {
  const account = await findAccount(needs, accountId);
  if (amount > 0 && isClosed(account)) throw accountClosed();
  return account;
}

export const grantCredits = act({
  ...creditForms.grantCredits,
  commits: 'at-once',
  async find(needs: Needs, { account, amount }) {
    const { balance } = await findGranted(needs, account, amount);
    return { ...aboutAccount(account), before: { balance }, state: {} };
  },
  after: ({ amount, kind }) => ({ granted: amount, kind, ...(amount > grantLimit && { waitsForApproval: true }) }),
  async perform({ ids }, { account: accountId, amount, kind }, { recording, ...by }) {
    const row = { id: ids.next(), accountId, amount, reason: kind, at: by.at };
    const counted = countGranted(accountId, amount, by);
    if (amount <= grantLimit && (await isPosted(recording(), counted, row))) return { accountId, amount };
    const requestId = ids.next();
    const { id: operatorId, name } = by.operator;
    const request: GrantRequest = {
      requestId,
      accountId,
      amount,
      kind,
      reason: by.reason,
      requestedBy: { id: operatorId, name },
      requestedAt: by.at,
      validUntil: by.at + decisionDays * dayMs,
      state: 'waiting',
    };
    const waits = { requested: amount, kind, requestId, waitsForApproval: true };
    await recording(waits).transact([insertRequest(request)]);
    return { accountId, amount, requestId };
  },
});

async function findRequest({ table }: Pick<ActNeeds, 'table'>, requestId: string) {
  const state = await grantRequestStore(table).find(requestId);
  if (!state) throw missing(`grant request ${requestId}`);
  const { accountId, amount, state: before } = state;
  return { ...aboutPartOf(accountId, `grant request ${requestId}`), before: { state: before, amount }, state };
}

/** Why a request cannot be decided. */
function undecidable({ requestedBy, state, validUntil }: GrantRequest, { at, operator }: By): Rejection {
  if (state === 'waiting' && validUntil > at && requestedBy.id === operator.id) {
    return new Rejection('forbidden', { message: 'A grant needs two people: another operator must approve it.' });
  }
  const problem = state === 'waiting' ? `expired: requests can be decided for ${decisionDays} days` : `been ${state}`;
  return new Rejection('invalid', { message: `The request has ${problem}.` });
}

export const approveGrant = act({
  ...creditForms.approveGrant,
  commits: 'at-once',
  async find(needs: Needs, { request }) {
    const found = await findRequest(needs, request);
    await findGranted(needs, found.state.accountId, found.state.amount);
    return found;
  },
  after: (_input, { state: { amount, kind } }) => ({ state: 'approved', granted: amount, kind }),
  async perform(needs, { request }, { found, recording, ...by }) {
    const { accountId, amount, kind: reason } = found.state;
    const row = { id: needs.ids.next(), accountId, amount, reason, at: by.at };
    if (await isPosted(recording(), [decideRequest(request, 'approved', by)], row)) return { accountId, amount };
    throw undecidable((await grantRequestStore(needs.table).find(request)) ?? found.state, by);
  },
});

export const declineGrant = act({
  ...creditForms.declineGrant,
  commits: 'at-once',
  find: (needs: Needs, { request }) => findRequest(needs, request),
  after: () => ({ state: 'declined' }),
  async perform(needs, { request }, { found, recording, ...by }) {
    try {
      await recording().transact([decideRequest(request, 'declined', by)]);
    } catch (error) {
      if (!(error instanceof TransactionCanceled)) throw error;
      throw undecidable((await grantRequestStore(needs.table).find(request)) ?? found.state, by);
    }
    return { accountId: found.state.accountId, amount: found.state.amount };
  },
});

export const fillTestCredits = act({
  ...creditForms.fillTestCredits,
  commits: 'at-once',
  async find(needs: Needs, { account }) {
    await findAccount(needs, account);
    const purse = await needs.accounts.find(testAccountOf(account));
    if (!purse) throw new Rejection('invalid', { message: `Account ${account} has no test token yet: create one.` });
    return { ...aboutAccount(account), before: { testCredits: purse.balance }, state: {} };
  },
  after: () => ({ testCredits: testPurseCredits }),
  async perform({ ids }, { account: accountId }, { at, recording }) {
    const filled = await fillTestPurse({ ids, table: recording() }, testAccountOf(accountId), at, { isDemanded: true });
    if (!filled) throw new Error('a test account is never deleted');
    return { accountId, testCredits: filled.balance };
  },
});
