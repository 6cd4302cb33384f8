/**
 * A drill: rows of the table are damaged. The table is restored to an earlier moment, the stage is moved to the
 * restored table, and the ledger is audited.
 */
import { InvokeCommand, LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import type { Drill } from './drill.ts';

interface Audit {
  readonly audited: number;
  readonly drifts: readonly { readonly accountId: string }[];
}

/** Runs the hourly audit now. @throws {Error} if it fails */
async function audit(client = new LambdaClient()): Promise<Audit> {
  for await (const { Functions = [] } of paginateListFunctions({ client }, {})) {
    // Long names are shortened, so only a part of the name is compared.
    const name = Functions.find(({ FunctionName = '' }) => FunctionName.includes('auditLe'))?.FunctionName;
    if (name === undefined) continue;
    const { FunctionError, Payload } = await client.send(new InvokeCommand({ FunctionName: name, Payload: '{}' }));
    const text = Payload?.transformToString() ?? '';
    if (FunctionError) throw new Error(`The audit failed: ${text}`);
    return JSON.parse(text) as Audit;
  }
  throw new Error('The audit is not deployed.');
}

const accountKey = (accountId: string): string =>
  JSON.stringify({ pk: { S: `ACCOUNT#${accountId}` }, sk: { S: 'ACCOUNT' } });

export const restore: Drill = {
  summary: 'The table is damaged: restore it to a moment before, move the stage to it, audit the ledger.',
  page: 'docs/restore.md',
  heading: 'Restore the table',
  async run({ aws, check, customer, deploy, operate, outputs, run }) {
    const { TableName = '' } = await outputs();
    const name = `restored-${Date.now()}`;
    const { drifts: known } = await audit();
    const ana = await customer(100);
    const made = await ana.speak();
    await ana.ended(made);
    const open = await ana.speak({ behavior: 'hang' });
    const { BackupDetails: backup } = await aws<{ BackupDetails: { BackupArn: string } }>(
      `aws dynamodb create-backup --table-name ${TableName} --backup-name ${name}`,
    );
    const second = new Date().toISOString();
    const lost = await ana.speak();
    await ana.ended(lost);
    await aws(
      `aws dynamodb update-item --table-name ${TableName} --key '${accountKey(ana.accountId)}' --update-expression 'SET balance = :wrong' --expression-attribute-values '{":wrong":{"N":"1000000"}}'`,
    );
    const { drifts } = await audit();
    check(
      'the audit finds the damaged balance',
      drifts.some(({ accountId }) => accountId === ana.accountId),
    );

    try {
      const values = { 'restored-2026': name, '2026-11-22T03:00:00Z': second };
      // The emulator has no point-in-time recovery, only backups.
      await run('aws dynamodb restore-table-to-point-in-time', {
        values,
        instead: `aws dynamodb restore-table-from-backup --backup-arn ${backup.BackupArn} --target-table-name ${name}`,
      });
      await run('aws dynamodb wait table-exists', { values });
      await run('aws dynamodb update-time-to-live', { values });
      await run('aws dynamodb update-continuous-backups', { values });
      await run('aws dynamodb update-table', { values });
      const settings = { tableName: name };
      await run('npx cdk deploy', { settings });
      await run('npx cdk deploy --all', { settings });

      check('the stage uses the restored table', (await outputs()).TableName === name);
      check('the balance is that of the restored moment', (await ana.balance()) === 98);
      check('the balance is the sum of the ledger', await ana.isBalanced());
      check('a task from before that moment exists', (await ana.ended(made)).status === 'completed');
      const missing = await ana.api.getTask({ params: { taskId: lost } }).catch((error: unknown) => error);
      check('a task from after that moment does not exist', JSON.stringify(missing).includes('NOT_FOUND'));
      await operate(`task fail --task ${open}`);
      const ended = await ana.ended(open);
      check(
        'a task that was open at that moment can be ended and refunded',
        ended.creditsRefunded === 1 && (await ana.balance()) === 99,
      );
      check('new tasks are completed', (await ana.ended(await ana.speak())).status === 'completed');
      check('the audit finds nothing new', (await audit()).drifts.length === known.length);
    } finally {
      await aws(`aws dynamodb update-table --table-name ${name} --no-deletion-protection-enabled`);
      await deploy();
    }
  },
};
