/** The commands that close, reopen and erase accounts. */

import { closedAccountDays } from '../../shared/contracts/limits.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { identityUsers } from '../../shared/gateways/identity-provider.ts';
import { pixGateway } from '../../shared/gateways/pix-gateways.ts';
import { socialNetwork } from '../../shared/gateways/social-networks.ts';
import { objectEraser } from '../../shared/platform/object-eraser.ts';
import { inboxQueue } from '../../shared/platform/queue.ts';
import { secretBoxOf } from '../../shared/platform/secret-box.ts';
import { tombstones } from '../../shared/platform/tombstones.ts';
import { workStorage } from '../../shared/platform/work-storage.ts';
import { accountId } from './account-kind.ts';
import { actCommand } from './act-command.ts';
import { type Command, required } from './command.ts';
import type { Service } from './service.ts';

const options = { account: required(accountId, 'The account.') };

export const closureNeedsOf = (service: Omit<Service, 'acting'>) => ({
  ...service,
  connections: connectionStore(service.table),
  inboxQueue: inboxQueue(service),
  objectEraser: objectEraser(service),
  pixGateway: pixGateway(service),
  secretBox: secretBoxOf(service),
  socialNetwork: socialNetwork(service),
  tombstones: tombstones(service),
  users: identityUsers(service),
  work: workStorage(service),
});

const close = actCommand(acts.closeAccount, {
  name: 'close',
  summary: `Close an account: its tokens and sessions stop, its open tasks are refunded, its subscriptions canceled; erase it after ${closedAccountDays} days.`,
  options,
  async run({ account }, { connect, perform }) {
    const service = await connect();
    return perform(service, closureNeedsOf(service), { account });
  },
});

const reopen = actCommand(acts.reopenAccount, {
  name: 'reopen',
  summary: `Open an account that was closed less than ${closedAccountDays} days ago; its tokens stay revoked.`,
  options,
  async run({ account }, { connect, perform }) {
    const service = await connect();
    return perform(service, closureNeedsOf(service), { account });
  },
});

const erase = actCommand(acts.eraseAccount, {
  name: 'erase',
  summary: 'Erase a closed account now, without waiting for the rest of its time: this cannot be undone.',
  options,
  async run({ account }, { connect, perform }) {
    const service = await connect();
    return perform(service, closureNeedsOf(service), { account });
  },
  print: ({ accountId, erasedAt }) =>
    erasedAt === null
      ? `The copies of the inboxes of account ${accountId} are being erased: repeat the command in a minute.`
      : `Account ${accountId} was erased on ${erasedAt}.`,
});

const eraseDue = actCommand(acts.eraseDueAccounts, {
  name: 'erase-due',
  summary: `Do what is due for closed accounts, such as erasing those that were closed ${closedAccountDays} days ago: a schedule does so every five minutes.`,
  async run(_values, { connect, perform }) {
    const service = await connect();
    return perform(service, closureNeedsOf(service), {});
  },
  print: ({ done, failed }) => `Done for ${done} accounts; ${failed} failed.`,
  isSuccess: ({ failed }) => failed === 0,
});

const repeatErasures = actCommand(acts.repeatErasures, {
  name: 'repeat-erasures',
  summary: 'Erase again the accounts that a restore of the table has brought back.',
  async run(_values, { connect, perform }) {
    const service = await connect();
    const { accounts } = await perform(service, closureNeedsOf(service), {});
    return { accounts: accounts.map((accountId) => ({ accountId })) };
  },
  rows: ({ accounts }) => accounts,
  whenEmpty: 'No erased account has come back.',
});

export const closureCommands: readonly Command[] = [close, reopen, erase, eraseDue, repeatErasures];
