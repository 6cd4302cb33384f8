/** The commands for cases: payments that need an operator's decision. */

import type { BillingCase } from '../../shared/domain/billing/cases/billing-case.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { actCommand } from './act-command.ts';
import { type Command, command, optional, required, type ValueKind } from './command.ts';
import { commandFailed } from './exit-error.ts';
import type { Service } from './service.ts';
import { oneOf } from './value-kinds.ts';

const caseId: ValueKind<string> = {
  placeholder: 'CASE',
  accepts: 'the id of a case, as shown by "case list"',
  parse: (value) => (/^[0-9a-f-]{36}\.[0-9a-f]{16}$/.test(value) ? value : undefined),
};

const shown = ({ cents, createdAt, resolvedAt, accountId, missingCredits, resolution, ...found }: BillingCase) => ({
  ...found,
  accountId: accountId ?? null,
  amount: cents / 100,
  missingCredits: missingCredits ?? null,
  createdAt: timestamp(createdAt),
  resolvedAt: resolvedAt === undefined ? null : timestamp(resolvedAt),
  resolution: resolution ?? null,
});

/** Finds a case. @throws {ExitError} if it does not exist */
async function findCase({ cases }: Service, id: string): Promise<BillingCase> {
  const found = await cases.find(id);
  if (!found) throw commandFailed(`There is no case ${id}.`);
  return found;
}

const list = command({
  name: 'list',
  summary: 'List the open cases, oldest first: money that needs a decision.',
  options: {
    status: optional(oneOf('STATUS', ['open', 'all']), 'Whether resolved cases are listed too; open by default.'),
  },
  async run({ status = 'open' }, { cases, table: rows }) {
    const found = await cases.list({ onlyOpen: status === 'open' });
    return { cases: readable(rows, { kind: 'case', idOf: ({ caseId }) => caseId }, found, shown) };
  },
  rows: ({ cases }) => cases,
  whenEmpty: 'There are no open cases.',
});

const show = command({
  name: 'show',
  summary: 'Show a case.',
  options: { case: required(caseId, 'The case.') },
  run: async ({ case: id }, service) => shown(await findCase(service, id)),
});

const resolve = actCommand(acts.resolveCase, {
  name: 'resolve',
  summary: 'Close a case; the reason is what was done about it, such as "refunded at Mercado Pago".',
  options: { case: required(caseId, 'The case.') },
  async run({ case: id }, { connect, perform }) {
    const service = await connect();
    await perform(service, service, { case: id });
    return shown(await findCase(service, id));
  },
  print: ({ caseId: id }) => `Case ${id} is resolved.`,
});

export const caseCommands: readonly Command[] = [list, show, resolve];
