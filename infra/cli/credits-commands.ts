/** The commands for credits. */

import { grantKinds, grantLimit, operatorGrantLimit } from '../../shared/contracts/grants.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import { grantRequestStore } from '../../shared/domain/operators/grant-requests.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { accountId } from './account-kind.ts';
import { actCommand } from './act-command.ts';
import { type Command, command, optional, required } from './command.ts';
import { findAccount } from './find-account.ts';
import { lines } from './text-output.ts';
import { creditAmount, idOf, integer, oneOf } from './value-kinds.ts';

const kind = oneOf('KIND', grantKinds);

const grant = actCommand(acts.grantCredits, {
  name: 'grant',
  summary: `Add or remove credits, recorded as a ledger row; more than ${grantLimit} a day for one account, or ${operatorGrantLimit} for all, wait for another operator.`,
  options: {
    account: required(accountId, 'The account.'),
    amount: required(
      creditAmount,
      'Number of credits; a negative number removes credits and requires the kind adjustment.',
    ),
    kind: required(kind, "What the account's history shows."),
  },
  async run({ account, amount, kind: as }, { connect, perform }) {
    const service = await connect();
    return perform(service, service, { account, amount, kind: as });
  },
  print: ({ accountId: id, amount, requestId }) =>
    requestId === undefined
      ? lines({ accountId: id, amount })
      : `Grants above ${grantLimit} credits a day to one account, or ${operatorGrantLimit} to all, need two people. Request ${requestId} waits for "credits approve" by another operator.`,
});

const request = required(idOf('REQUEST', 'as shown by "credits requests"'), 'The request.');

const approve = actCommand(acts.approveGrant, {
  name: 'approve',
  summary: 'Approve a grant that another operator requested, which adds its credits.',
  options: { request },
  async run({ request: id }, { connect, perform }) {
    const service = await connect();
    return perform(service, service, { request: id });
  },
});

const decline = actCommand(acts.declineGrant, {
  name: 'decline',
  summary: 'Decline a grant that waits for approval, or withdraw your own.',
  options: { request },
  async run({ request: id }, { connect, perform }) {
    const service = await connect();
    return perform(service, service, { request: id });
  },
});

const requests = command({
  name: 'requests',
  summary: 'List the grants that wait for another operator, oldest first.',
  async run(_values, { clock, table }) {
    const found = await grantRequestStore(table).waiting(clock.now());
    return {
      requests: found.map(({ requestId, accountId: account, amount, kind: as, reason, requestedBy, validUntil }) => ({
        requestId,
        accountId: account,
        amount,
        kind: as,
        requestedBy: requestedBy.name,
        validUntil: timestamp(validUntil),
        reason,
      })),
    };
  },
  rows: ({ requests: found }) => found,
  whenEmpty: 'No grant waits for approval.',
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

const fillTest = actCommand(acts.fillTestCredits, {
  name: 'fill-test',
  summary: 'Fill up the credits of the test tokens of an account.',
  options: { account: required(accountId, 'The account.') },
  async run({ account }, { connect, perform }) {
    const service = await connect();
    return perform(service, service, { account });
  },
});

export const creditsCommands: readonly Command[] = [list, grant, requests, approve, decline, fillTest];
