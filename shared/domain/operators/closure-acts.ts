/** Operators' acts that close, reopen and erase accounts. */
import * as z from 'zod';
import { presentClosure } from '../accounts/closed-account.ts';
import { onAccount } from '../act-forms/act-form.ts';
import { closeAccount, endWeek, keepClosed, reopenAccount } from '../privacy/closing.ts';
import { advanceClosure, type EraseAccountNeeds, eraseReturned } from '../privacy/erase-account.ts';
import { advanceClosures } from '../privacy/run-closures.ts';
import { Rejection } from '../rejection.ts';
import { act } from './act.ts';
import { aboutAccount, findAccount } from './find-subject.ts';
import type { ActNeeds } from './perform-act.ts';

type Needs = ActNeeds & EraseAccountNeeds;

const standing = async (needs: Needs, accountId: string) => ({
  accountId,
  ...presentClosure(await findAccount(needs, accountId)),
});

const reject = (message: string): never => {
  throw new Rejection('invalid', { message });
};

/** What all acts on one account have in common. */
const onClosure = {
  role: 'admin',
  commits: 'in-steps',
  isForCommandLine: true,
  input: onAccount,
  async find(needs: Needs, { account: accountId }: { readonly account: string }) {
    const { accountId: _id, ...before } = await standing(needs, accountId);
    return { ...aboutAccount(accountId), before, state: {} };
  },
  changed: ({ accountId: _id, ...after }: Awaited<ReturnType<typeof standing>>) => after,
} as const;

/** Performs the next step for a closed account now, instead of waiting for the schedule. */
const advance = (needs: Needs, accountId: string): Promise<void> =>
  advanceClosure(needs, accountId, Number.MAX_SAFE_INTEGER);

export const closeAccountOfOwner = act({
  ...onClosure,
  name: 'closeAccount',
  summary: 'Close an account: its tokens and sessions stop, its open tasks are refunded, its subscriptions canceled.',
  async perform(needs, { account: accountId }) {
    const isClosedNow = (await closeAccount(needs, accountId)) || (await keepClosed(needs, accountId));
    if (!isClosedNow) reject(`Account ${accountId} is closed already.`);
    await advance(needs, accountId);
    return standing(needs, accountId);
  },
});

export const reopenAccountOfOwner = act({
  ...onClosure,
  name: 'reopenAccount',
  summary: 'Open a closed account again before it is erased; its tokens stay revoked.',
  async perform(needs, { account: accountId }) {
    if (!(await reopenAccount(needs, accountId))) reject(`Account ${accountId} is not closed, or its time is over.`);
    return standing(needs, accountId);
  },
});

export const eraseAccount = act({
  ...onClosure,
  name: 'eraseAccount',
  summary: 'Erase a closed account now; this cannot be undone.',
  async perform(needs, { account: accountId }) {
    const { closing, erasedAt } = await findAccount(needs, accountId);
    if (!closing && erasedAt === undefined) reject(`Account ${accountId} is not closed: close it first.`);
    if (closing) await endWeek(needs, accountId);
    await advance(needs, accountId);
    return standing(needs, accountId);
  },
});

/** What all acts on all closed accounts have in common. */
const onAll = {
  role: 'admin',
  commits: 'in-steps',
  isForCommandLine: true,
  input: () => z.strictObject({}),
  find: async (_needs: Needs) => ({ subject: 'closed accounts', state: {} }),
} as const;

export const eraseDueAccounts = act({
  ...onAll,
  name: 'eraseDueAccounts',
  summary: 'Do what is due for closed accounts, such as erasing those whose time is over.',
  perform: (needs) => advanceClosures(needs),
  changed: (counts) => counts,
});

export const repeatErasures = act({
  ...onAll,
  name: 'repeatErasures',
  summary: 'Erase again the accounts that a restore of the table has brought back.',
  perform: async (needs) => ({ accounts: await eraseReturned(needs) }),
  changed: ({ accounts }) => ({ accounts }),
});
