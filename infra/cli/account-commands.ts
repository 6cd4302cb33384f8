/** Commands on accounts. */
import type { Account } from '../../shared/domain/accounts/account.ts';
import { createAccount } from '../../shared/domain/accounts/create-account.ts';
import { type Command, command, optional, required } from './command.ts';
import { misused } from './exit-error.ts';
import { findAccount } from './find-account.ts';
import { reconcileAccount } from './reconcile-account.ts';
import type { Service } from './service.ts';
import { table } from './text-output.ts';
import { creditsMax, emailAddress, idOf, integer, textOf } from './value-kinds.ts';

export const accountId = idOf('ACCOUNT', 'as shown by "account list"');

/** How many accounts are read at once. */
const batchSize = 25;

const summaryOf = ({ accountId, email, name, balance, planId }: Account) => ({
  accountId,
  email,
  name,
  balance,
  plan: planId ?? null,
});

async function requirePlan({ catalog }: Service, planId: string): Promise<void> {
  const { plans } = (await catalog.read()).plans;
  if (plans.some(({ id }) => id === planId)) return;
  throw misused(`--plan must be one of ${plans.map(({ id }) => id).join(', ')}.`);
}

const create = command({
  name: 'create',
  summary: 'Opens an account and prints its id.',
  options: {
    email: required(emailAddress, 'Whom to write to.'),
    name: required(textOf('NAME', 1, 120), 'Whose account it is.'),
    credits: optional(integer(0, creditsMax), 'Credits to begin with, entered as a bonus; 0 by default.'),
    plan: optional(textOf('PLAN', 1, 64), "A plan of the catalog; its features become the account's."),
  },
  async run({ email, name, credits = 0, plan: planId }, service) {
    if (planId !== undefined) await requirePlan(service, planId);
    const account = await createAccount(service, { email, name, credits, ...(planId !== undefined && { planId }) });
    return { accountId: account.accountId };
  },
});

const list = command({
  name: 'list',
  summary: 'Lists all accounts, oldest first.',
  async run(_values, { accounts }) {
    const ids = await Array.fromAsync(accounts.ids());
    const found: (Account | undefined)[] = [];
    for (let start = 0; start < ids.length; start += batchSize) {
      const batch = ids.slice(start, start + batchSize);
      found.push(...(await Promise.all(batch.map((id) => accounts.find(id)))));
    }
    return { accounts: found.filter((account) => account !== undefined).map(summaryOf) };
  },
  print: ({ accounts }) => table(accounts, 'There are no accounts.'),
});

const show = command({
  name: 'show',
  summary: 'Shows an account, and the ids of its tasks that have not ended.',
  options: { account: required(accountId, 'The account.') },
  async run({ account: id }, service) {
    const account = await findAccount(service, id);
    return { ...summaryOf(account), openTasks: account.openTasks };
  },
});

const reconcile = command({
  name: 'reconcile',
  summary: 'Makes a balance the sum of its ledger again, and frees the slots of tasks that have ended.',
  options: { account: required(accountId, 'The account that the audit named.') },
  run: ({ account }, service) => reconcileAccount(service, account),
  print: ({ balanceBefore, balance, slotsFreed }) =>
    balance === balanceBefore && slotsFreed.length === 0
      ? `The balance of ${balance} is the sum of the ledger, and every slot is that of an open task: nothing is changed.`
      : `The balance is ${balance} now, and was ${balanceBefore}; slots freed: ${slotsFreed.join(', ') || 'none'}.`,
});

export const accountCommands: readonly Command[] = [create, list, show, reconcile];
