/** Accounts with drift, and how an operator corrects them. */
import { afterAll, expect, it } from 'vitest';
import { auditLedger } from '../../../functions/background/audit-ledger.ts';
import { accountKey } from '../../../shared/domain/keys.ts';
import { endUnnotified } from '../../support/end-unnotified.ts';
import { startOperatedService } from './operated-service.ts';

const service = await startOperatedService();

afterAll(() => service.close());

const reconcile = (accountId: string) => service.done('account', 'reconcile', '--account', accountId);

const drift = (accountId: string, credits: number, slot: string) =>
  service.context.table.update({
    Key: accountKey(accountId),
    UpdateExpression: 'ADD balance :credits, openTasks :slot',
    ExpressionAttributeValues: { ':credits': credits, ':slot': new Set([slot]) },
  });

it('reconciling an account sets its balance to the ledger’s sum and frees slots of ended tasks, so that no drift remains', async () => {
  const accountId = await service.newAccount(100);
  const open = await service.newTask(accountId);
  const ended = await service.newTask(accountId);
  await endUnnotified(service.context, ended, { status: 'failed', code: 'PROVIDER_ERROR' });
  const history = await service.context.ledger.list(accountId, { limit: 100, offset: 0 });
  await drift(accountId, -7, ended.taskId);

  expect(await reconcile(accountId)).toEqual({
    accountId,
    balanceBefore: 92,
    balance: 99,
    slotsFreed: [ended.taskId],
    slotsRestored: [],
  });

  expect(await service.context.accounts.find(accountId)).toMatchObject({ balance: 99, openTasks: [open.taskId] });
  expect(await service.context.ledger.list(accountId, { limit: 100, offset: 0 })).toEqual(history);
  expect(
    await auditLedger({}, { ...service.context, contentCertificate: { daysLeft: async () => undefined } }),
  ).toMatchObject({ drifts: [] });
});

it('reconciling an account prints what was corrected, including slots that open tasks had lost and got back', async () => {
  const accountId = await service.newAccount(5);
  const lost = await service.newTask(accountId);
  const unknownId = service.context.ids.next();
  await drift(accountId, 3, unknownId);
  await service.context.table.update({
    Key: accountKey(accountId),
    UpdateExpression: 'DELETE openTasks :slot',
    ExpressionAttributeValues: { ':slot': new Set([lost.taskId]) },
  });

  const { stdout } = await service.admin(['account', 'reconcile', '--account', accountId]);
  expect(stdout).toBe(
    `The balance was changed from 7 to 4; slots freed: ${unknownId}; slots restored: ${lost.taskId}.\n`,
  );
  expect(await service.context.accounts.find(accountId)).toMatchObject({ balance: 4, openTasks: [lost.taskId] });
});

it('reconciling an account reports a missing account', async () => {
  const unknownId = service.context.ids.next();
  const { exitCode, stderr } = await service.admin(['account', 'reconcile', '--account', unknownId]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`There is no account ${unknownId}`);
});
