/** The commands for the log of operators' acts. */
import { type ActEntry, actLog } from '../../shared/domain/operators/act-log.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { accountId } from './account-kind.ts';
import { type Command, command, optional, required } from './command.ts';
import { commandFailed } from './exit-error.ts';
import { findAccount } from './find-account.ts';
import { idOf, integer } from './value-kinds.ts';

const actId = idOf('ACT', 'as shown by "act list"');

const summaryOf = ({ actId: id, at, act, operatorName, subject, state, code, reason }: ActEntry) => ({
  actId: id,
  at: timestamp(at),
  operator: operatorName,
  act,
  subject,
  state: code === undefined ? state : `${state}: ${code}`,
  reason,
});

const list = command({
  name: 'list',
  summary: 'List what operators did, newest first: who, when, what, and why.',
  options: {
    account: optional(accountId, 'Only acts about this account.'),
    limit: optional(integer(1, 100), 'How many acts at most; 20 by default.'),
    before: optional(actId, 'Only acts before this one.'),
  },
  async run({ account, limit = 20, before }, service) {
    if (account !== undefined) await findAccount(service, account);
    const log = actLog(service.table);
    const page = { limit, before };
    const acts = account === undefined ? await log.list(page) : await log.of(`account/${account}`, page);
    return { acts: acts.map(summaryOf) };
  },
  rows: ({ acts }) => acts,
  whenEmpty: 'There are no such acts.',
});

const show = command({
  name: 'show',
  summary: 'Show an act, and what it changed from what to what.',
  options: { act: required(actId, 'The act.') },
  async run({ act: id }, service) {
    const entry = await actLog(service.table).find(id);
    if (!entry) throw commandFailed(`There is no act ${id}: "act list" shows the newest.`);
    const { at, isShortened: _shortened, ...shown } = entry;
    return { ...shown, at: timestamp(at) };
  },
});

export const actCommands: readonly Command[] = [list, show];
