/** The commands for credits. */

import { fillTestPurse } from '../../shared/domain/accounts/test-purse.ts';
import { testAccountOf } from '../../shared/domain/test-account.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { accountId } from './account-commands.ts';
import { type Command, command, optional, required } from './command.ts';
import { commandFailed, usageError } from './exit-error.ts';
import { findAccount, noAccount } from './find-account.ts';
import { creditAmount, integer, oneOf } from './value-kinds.ts';

const grant = command({
  name: 'grant',
  summary: 'Add or remove credits, recorded as a ledger row.',
  options: {
    account: required(accountId, 'The account.'),
    amount: required(
      creditAmount,
      'Number of credits; a negative number removes credits and requires the reason adjustment.',
    ),
    reason: required(oneOf('REASON', ['bonus', 'adjustment']), "The reason shown in the account's history."),
  },
  async run({ account: id, amount, reason }, service) {
    if (amount < 0 && reason !== 'adjustment') {
      throw usageError('--reason must be adjustment when --amount is negative.');
    }
    const { accounts, clock, ids } = service;
    const posted = await accounts.post({ id: ids.next(), accountId: id, amount, reason, at: clock.now() });
    if (posted === 'missing') throw noAccount(id);
    if (posted === 'insufficient') {
      throw commandFailed(`The balance is too low to remove ${-amount} credits: it cannot go below zero.`);
    }
    // The balance is not returned, because another change could have happened before it was read.
    return { accountId: id, amount };
  },
});

const list = command({
  name: 'list',
  summary: 'List the movements of the credits of an account, newest first.',
  options: {
    account: required(accountId, 'The account.'),
    limit: optional(integer(1, 1000), 'How many movements at most; 100 by default.'),
  },
  async run({ account, limit = 100 }, service) {
    await findAccount(service, account);
    const rows = await service.ledger.list(account, { limit, offset: 0 });
    const movements = rows.map(({ at, amount, reason, taskType, taskId, orderId, tokenId }) => ({
      at: timestamp(at),
      amount,
      reason,
      type: taskType ?? null,
      taskId: taskId ?? null,
      orderId: orderId ?? null,
      tokenId: tokenId ?? null,
    }));
    return { movements };
  },
  rows: ({ movements }) => movements,
  whenEmpty: 'The credits of the account have never changed.',
});

const fillTest = command({
  name: 'fill-test',
  summary: 'Fill up the credits of the test tokens of an account.',
  options: { account: required(accountId, 'The account.') },
  async run({ account: id }, service) {
    await findAccount(service, id);
    const filled = await fillTestPurse(service, testAccountOf(id), service.clock.now(), { isDemanded: true });
    if (!filled) throw commandFailed(`Account ${id} has no test token yet: "token create --test" creates one.`);
    return { accountId: id, testCredits: filled.balance };
  },
});

export const creditsCommands: readonly Command[] = [list, grant, fillTest];
