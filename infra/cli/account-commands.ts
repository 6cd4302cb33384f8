/** The commands for accounts. */
import type { Account } from '../../shared/domain/accounts/account.ts';
import { createAccount } from '../../shared/domain/accounts/create-account.ts';
import { type Command, command, optional, required } from './command.ts';
import { usageError } from './exit-error.ts';
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
  throw usageError(`--plan must be one of ${plans.map(({ id }) => id).join(', ')}.`);
}

const create = command({
  name: 'create',
  summary: 'Create an account and print its id.',
  options: {
    email: required(emailAddress, 'E-mail address of the owner.'),
    name: required(textOf('NAME', 1, 120), 'Name of the owner.'),
    credits: optional(integer(0, creditsMax), 'Initial credits, entered as a bonus; 0 by default.'),
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
  summary: 'List all accounts, oldest first.',
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
  summary: 'Show an account and the ids of its open tasks.',
  options: { account: required(accountId, 'The account.') },
  async run({ account: id }, service) {
    const account = await findAccount(service, id);
    return { ...summaryOf(account), openTasks: account.openTasks };
  },
});

const reconcile = command({
  name: 'reconcile',
  summary: 'Set a balance to the sum of its ledger, and free the slots of tasks that have ended.',
  options: { account: required(accountId, 'The account that the audit named.') },
  run: ({ account }, service) => reconcileAccount(service, account),
  print: ({ balanceBefore, balance, slotsFreed }) =>
    balance === balanceBefore && slotsFreed.length === 0
      ? `Nothing was changed: the balance of ${balance} is the sum of the ledger, and every slot belongs to an open task.`
      : `The balance was changed from ${balanceBefore} to ${balance}; slots freed: ${slotsFreed.join(', ') || 'none'}.`,
});

export const accountCommands: readonly Command[] = [create, list, show, reconcile];
