/** The commands for accounts. */

import type { Account } from '../../shared/domain/accounts/account.ts';
import { canceledOnDay } from '../../shared/domain/accounts/cancels.ts';
import { newAccountActions } from '../../shared/domain/accounts/create-account.ts';
import { barredUntil, liftLimits, observedUntil } from '../../shared/domain/accounts/long-results.ts';
import { reconcileAccount } from '../../shared/domain/accounts/reconcile-account.ts';
import { plansRow } from '../../shared/domain/catalog/plans-row.ts';
import { readable, readableFinds } from '../../shared/domain/readable-rows.ts';
import { type Invitation, InvitationExists, invitationDays, invite } from '../../shared/domain/sessions/invitation.ts';
import { sessionStore } from '../../shared/domain/sessions/session-store.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { type Command, command, flag, optional, required } from './command.ts';
import { commandFailed, usageError } from './exit-error.ts';
import { findAccount, noAccount } from './find-account.ts';
import { index } from './index-command.ts';
import type { Service } from './service.ts';
import { creditsMax, emailAddress, idOf, integer, textOf } from './value-kinds.ts';

export const accountId = idOf('ACCOUNT', 'as shown by "account list"');

/** How many accounts are read concurrently. */
const batchSize = 25;

const summaryOf = ({ accountId, email, name, balance, planId }: Account) => ({
  accountId,
  email,
  name,
  balance,
  plan: planId ?? null,
});

async function requirePlan({ catalog }: Service, planId: string): Promise<void> {
  const { plans } = await catalog.read(plansRow);
  if (plans.some(({ id }) => id === planId)) return;
  throw usageError(`--plan must be one of ${plans.map(({ id }) => id).join(', ')}.`);
}

const replace = flag('Replace the invitation that the address has, pending or accepted.');

function standing({ accountId, acceptedAt, expiresAt = 0 }: Invitation): string {
  const invitation = `an invitation to ${accountId === undefined ? 'a new account' : `account ${accountId}`}`;
  return acceptedAt === undefined
    ? `The address has ${invitation}, which is valid until ${timestamp(expiresAt)}`
    : `The address accepted ${invitation} on ${timestamp(acceptedAt)}`;
}

/** Invites an address. @throws {ExitError} if it already has an invitation that is not to be replaced */
async function inviteOnce(...given: Parameters<typeof invite>): ReturnType<typeof invite> {
  try {
    return await invite(...given);
  } catch (error) {
    if (!(error instanceof InvitationExists)) throw error;
    throw commandFailed(`${standing(error.invitation)}: nothing was changed; --replace replaces it.`);
  }
}

const create = command({
  name: 'create',
  summary: `Create an account, invite its owner to take it over within ${invitationDays} days, and print its id.`,
  options: {
    email: required(emailAddress, 'E-mail address of the owner.'),
    name: required(textOf('NAME', 1, 120), 'Name of the owner.'),
    credits: optional(integer(0, creditsMax), 'Initial credits, recorded as a bonus; 0 by default.'),
    plan: optional(textOf('PLAN', 1, 64), "A plan in the catalog; its features become the account's."),
    replace,
  },
  async run({ email, name, credits = 0, plan: planId, replace: replaces }, service) {
    if (planId !== undefined) await requirePlan(service, planId);
    const given = { email, name, credits, ...(planId !== undefined && { planId }) };
    const { accountId, actions } = await newAccountActions(service, given);
    await inviteOnce(service, email, { accountId, replaces }, actions);
    return { accountId };
  },
});

const inviteOwner = command({
  name: 'invite',
  summary: `Invite the owner of an e-mail address to sign up, or to take over an account, within ${invitationDays} days.`,
  options: {
    email: required(emailAddress, 'The address, which the owner must have verified.'),
    account: optional(accountId, 'The account to take over; by default the first log-in creates one.'),
    replace,
  },
  async run({ email, account, replace: replaces }, service) {
    if (account !== undefined) await findAccount(service, account);
    const invitation = { replaces, ...(account !== undefined && { accountId: account }) };
    const { expiresAt } = await inviteOnce(service, email, invitation);
    return { email, expiresAt: timestamp(expiresAt) };
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

const timeOrNull = (at: number | undefined): string | null => (at === undefined ? null : timestamp(at));

/** What follows for an account from results that were longer than what was paid for, and from cancels. */
const limitsOf = (account: Account, now: number) => ({
  openFileTasks: account.openFileTasks ?? [],
  rejectedUntil: timeOrNull(barredUntil(account, now)),
  observedUntil: timeOrNull(observedUntil(account, now)),
  canceledToday: canceledOnDay(account, now),
  limitsLiftedAt: timeOrNull(account.limitsLifted?.at),
  limitsLiftedBecause: account.limitsLifted?.reason ?? null,
});

const show = command({
  name: 'show',
  summary:
    'Show an account, the ids of its open tasks, and its limits after cancels and results longer than what was paid for.',
  options: { account: required(accountId, 'The account.') },
  async run({ account: id }, service) {
    const account = await findAccount(service, id);
    return { ...summaryOf(account), openTasks: account.openTasks, ...limitsOf(account, service.clock.now()) };
  },
});

const lift = command({
  name: 'lift-limits',
  summary:
    'Forget the cancels and the results longer than what was paid for of an account, so that they limit it no more.',
  options: {
    account: required(accountId, 'The account.'),
    reason: required(textOf('TEXT', 1, 500), 'Why, such as "outage of the engine"; "account show" shows it.'),
  },
  async run({ account: id, reason }, service) {
    const { clock, table: rows } = service;
    const at = clock.now();
    const { rejectedUntil, observedUntil: until, canceledToday } = limitsOf(await findAccount(service, id), at);
    await rows.transact([liftLimits(id, { at, reason })]);
    return { accountId: id, rejectedUntil, observedUntil: until, canceledToday };
  },
  print: ({ accountId: id, observedUntil: until, canceledToday }) =>
    [
      until === null
        ? `Account ${id} was under no limits after results longer than what was paid for.`
        : `The limits of account ${id}, which would have lasted until ${until}, are lifted.`,
      `Its cancels of today count from 0 again, after ${canceledToday}.`,
    ].join('\n'),
});

async function reconciled(service: Service, id: string) {
  const result = await reconcileAccount(service, id);
  switch (result.status) {
    case 'reconciled': {
      const { balanceBefore, balance, slotsFreed, slotsRestored } = result;
      return { accountId: id, balanceBefore, balance, slotsFreed, slotsRestored };
    }
    case 'missing':
      throw noAccount(id);
    case 'negative':
      throw commandFailed(
        `The ledger of account ${id} adds up to ${result.sum}: grant the missing credits, then try again.`,
      );
    default:
      throw commandFailed(`Account ${id} changed in the meantime and was not modified: try again.`);
  }
}

const reconcile = command({
  name: 'reconcile',
  summary: 'Set the balance of an account to the sum of its ledger, and its slots to its open tasks.',
  options: { account: required(accountId, 'The account that the audit named.') },
  run: ({ account }, service) => reconciled(service, account),
  print: ({ balanceBefore, balance, slotsFreed, slotsRestored }) =>
    balance === balanceBefore && slotsFreed.length + slotsRestored.length === 0
      ? `Nothing was changed: the balance of ${balance} is the sum of the ledger, and the slots are those of the open tasks.`
      : `The balance was changed from ${balanceBefore} to ${balance}; slots freed: ${slotsFreed.join(', ') || 'none'}; slots restored: ${slotsRestored.join(', ') || 'none'}.`,
});

const endSessions = command({
  name: 'end-sessions',
  summary: 'End all sessions of an account in the dashboard; the next request of each is rejected.',
  options: { account: required(accountId, 'The account.') },
  async run({ account: id }, service) {
    await findAccount(service, id);
    return { accountId: id, sessionsEnded: await sessionStore(service.table).endAll(id, service.clock.now()) };
  },
});

export const accountCommands: readonly Command[] = [
  create,
  inviteOwner,
  list,
  show,
  reconcile,
  lift,
  endSessions,
  index,
];
