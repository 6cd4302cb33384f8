/** The commands for credits. */
import { accountId } from './account-commands.ts';
import { type Command, command, required } from './command.ts';
import { commandFailed, usageError } from './exit-error.ts';
import { noAccount } from './find-account.ts';
import { creditAmount, oneOf } from './value-kinds.ts';

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

export const creditsCommands: readonly Command[] = [grant];
