/** The commands for accounts. */

import { grantLimit } from '../../shared/contracts/grants.ts';
import { cancelsPerDay } from '../../shared/contracts/limits.ts';
import type { Account } from '../../shared/domain/accounts/account.ts';
import { cancelsRejectedUntil } from '../../shared/domain/accounts/cancels.ts';
import { chargesBarredUntil } from '../../shared/domain/accounts/charged-failures.ts';
import { presentClosure } from '../../shared/domain/accounts/closed-account.ts';
import { countOn } from '../../shared/domain/accounts/day-count.ts';
import { barredUntil, observedUntil } from '../../shared/domain/accounts/long-results.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import { readable, readableFinds } from '../../shared/domain/readable-rows.ts';
import { presentRetention } from '../../shared/domain/retention.ts';
import { invitationDays } from '../../shared/domain/sessions/invitation.ts';
import { sessionStore } from '../../shared/domain/sessions/session-store.ts';
import { accountId } from './account-kind.ts';
import { actCommand } from './act-command.ts';
import { closureCommands } from './closure-commands.ts';
import { type Command, command, flag, optional, required } from './command.ts';
import { exportCommands } from './export-commands.ts';
import { findAccount } from './find-account.ts';
import { index } from './index-command.ts';
import { lines } from './text-output.ts';
import { timeOrNull } from './time-or-null.ts';
import { emailAddress, integer, retentionDaysOrNone, textOf } from './value-kinds.ts';

/** How many accounts are read concurrently. */
const batchSize = 25;

const summaryOf = ({ accountId, email, name, balance, planId }: Account) => ({
  accountId,
  email,
  name,
  balance,
  plan: planId ?? null,
});

const replace = flag('Replace the invitation that the address has, pending or accepted.');

const create = actCommand(acts.createAccount, {
  name: 'create',
  summary: `Create an account, invite its owner to take it over within ${invitationDays} days, and print its id.`,
  options: {
    email: required(emailAddress, 'E-mail address of the owner.'),
    name: required(textOf('NAME', 1, 120), 'Name of the owner.'),
    credits: optional(integer(0, grantLimit), 'Initial credits, recorded as a bonus; 0 by default.'),
    plan: optional(textOf('PLAN', 1, 64), "A plan in the catalog; its features become the account's."),
    replace,
  },
  async run({ email, name, credits, plan, replace: replaces }, { connect, perform }) {
    const service = await connect();
    return perform(service, service, { email, name, credits, plan, replace: replaces });
  },
});

const inviteOwner = actCommand(acts.inviteOwner, {
  name: 'invite',
  summary: `Invite the owner of an e-mail address to sign up, or to take over an account, within ${invitationDays} days.`,
  options: {
    email: required(emailAddress, 'The address, which the owner must have verified.'),
    account: optional(accountId, 'The account to take over; by default the first log-in creates one.'),
    replace,
  },
  async run({ email, account, replace: replaces }, { connect, perform }) {
    const service = await connect();
    return perform(service, service, { email, account, replace: replaces });
  },
});

const kind = { kind: 'account', idOf: (id: string) => id };

const list = command({
  name: 'list',
  summary: 'List all accounts, oldest first.',
  async run(_values, { accounts, table: rows }) {
    const ids = await Array.fromAsync(accounts.ids());
    const found: Account[] = [];
    for (let start = 0; start < ids.length; start += batchSize) {
      const batch = ids.slice(start, start + batchSize);
      found.push(...(await readableFinds(rows, kind, batch, (id) => accounts.find(id))));
    }
    return { accounts: readable(rows, { ...kind, idOf: ({ accountId: id }) => id }, found, summaryOf) };
  },
  rows: ({ accounts }) => accounts,
  whenEmpty: 'There are no accounts.',
});

/** The current limits of an account that has canceled tasks, or had results that were longer than what was paid for. */
const limitsOf = (account: Account, now: number, cancelsUntil: number | undefined) => ({
  openFileTasks: account.openFileTasks ?? [],
  fileTasksRejectedUntil: timeOrNull(barredUntil(account, now)),
  fileTasksLimitedUntil: timeOrNull(observedUntil(account, now)),
  canceledToday: countOn(account.cancels, now),
  cancelsRejectedUntil: timeOrNull(cancelsUntil),
  chargedFailuresToday: countOn(account.chargedFailures, now),
  chargedTasksRejectedUntil: timeOrNull(chargesBarredUntil(account, now)),
  limitsLiftedAt: timeOrNull(account.limitsLifted?.at),
  limitsLiftedBecause: account.limitsLifted?.reason ?? null,
});

/** How many tasks were canceled today, and whether the limit is reached, which fewer tasks reach if they cost much. */
function cancelsInWords(count: number, rejectedUntil: string | null): string {
  if (rejectedUntil === null) return `${count}; the account may cancel more`;
  const limit = count < cancelsPerDay ? `${count}, which cost as much as is allowed` : `${count} of ${count}`;
  return `${limit}; cancels are rejected until ${rejectedUntil}`;
}

const show = command({
  name: 'show',
  summary:
    'Show an account, when it was closed, the ids of its open tasks, its retention, and its limits after cancels, failures by its own fault and results longer than what was paid for.',
  options: { account: required(accountId, 'The account.') },
  async run({ account: id }, service) {
    const account = await findAccount(service, id);
    const { openTasks, retention } = account;
    const now = service.clock.now();
    const limits = limitsOf(account, now, await cancelsRejectedUntil(service.table, account, now));
    return { ...summaryOf(account), ...presentClosure(account), openTasks, ...presentRetention(retention), ...limits };
  },
  print: ({ canceledToday, cancelsRejectedUntil: until, ...shown }) =>
    lines({ ...shown, canceledToday: cancelsInWords(canceledToday, until) }),
});

const lift = actCommand(acts.liftLimits, {
  name: 'lift-limits',
  summary:
    'Forget the cancels, the failures by its own fault and the results longer than what was paid for of an account, so that they limit it no more.',
  options: { account: required(accountId, 'The account.') },
  async run({ account }, { connect, perform }) {
    const service = await connect();
    return perform(service, service, { account });
  },
  print: ({ accountId: id, fileTasksLimitedUntil: until, canceledToday, chargedFailuresToday }) =>
    [
      until === null
        ? `Account ${id} was under no limits after results longer than what was paid for.`
        : `The limits of account ${id}, which would have lasted until ${until}, are lifted.`,
      `Its cancels of today count from 0 again, after ${canceledToday}, and so do its charged failures, after ${chargedFailuresToday}.`,
    ].join('\n'),
});

const orNull = (days: number | 'none'): number | null => (days === 'none' ? null : days);

const setRetention = actCommand(acts.setRetention, {
  name: 'set-retention',
  summary: 'Set after how many days the results, and the inputs with their texts, of new tasks are erased.',
  options: {
    account: required(accountId, 'The account.'),
    results: required(retentionDaysOrNone, 'Days for results; none for as long as the stage keeps them.'),
    inputs: required(retentionDaysOrNone, 'Days for inputs and texts; none for as long as the task is there.'),
  },
  async run({ account, results, inputs }, { connect, perform }) {
    const service = await connect();
    return perform(service, service, { account, resultsDays: orNull(results), inputsDays: orNull(inputs) });
  },
});

const reconcile = actCommand(acts.reconcileAccount, {
  name: 'reconcile',
  summary: 'Set the balance of an account to the sum of its ledger, and its slots to its open tasks.',
  options: { account: required(accountId, 'The account that the audit named.') },
  async run({ account }, { connect, perform }) {
    const service = await connect();
    return perform(service, service, { account });
  },
  print: ({ balanceBefore, balance, slotsFreed, slotsRestored }) =>
    balance === balanceBefore && slotsFreed.length + slotsRestored.length === 0
      ? `Nothing was changed: the balance of ${balance} is the sum of the ledger, and the slots are those of the open tasks.`
      : `The balance was changed from ${balanceBefore} to ${balance}; slots freed: ${slotsFreed.join(', ') || 'none'}; slots restored: ${slotsRestored.join(', ') || 'none'}.`,
});

const endSessions = actCommand(acts.endSessions, {
  name: 'end-sessions',
  summary: 'End all sessions of an account in the dashboard; the next request of each is rejected.',
  options: { account: required(accountId, 'The account.') },
  async run({ account }, { connect, perform }) {
    const service = await connect();
    return perform(service, { ...service, sessions: sessionStore(service.table) }, { account });
  },
});

const note = actCommand(acts.addNote, {
  name: 'note',
  summary: 'Keep a note on an account, which "act list --account" shows: the reason is its text.',
  options: { account: required(accountId, 'The account.') },
  async run({ account }, { connect, perform }) {
    const service = await connect();
    return perform(service, service, { account });
  },
});

export const accountCommands: readonly Command[] = [
  create,
  inviteOwner,
  note,
  list,
  show,
  reconcile,
  lift,
  setRetention,
  endSessions,
  ...closureCommands,
  ...exportCommands,
  index,
];
