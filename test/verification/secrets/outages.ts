/** Outages of each part of the service in the middle of an operation. */
import { generateKeyPairSync } from 'node:crypto';
import { renameSync } from 'node:fs';
import { certifyContentKey } from '../../../infra/content-authority.ts';
import { reconcileAccount } from '../../../shared/domain/accounts/reconcile-account.ts';
import { requestExport } from '../../../shared/domain/exports/request-export.ts';
import { accountKey } from '../../../shared/domain/keys.ts';
import { dayMs } from '../../../shared/platform/clock.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import { eventually } from '../../support/eventually.ts';
import { giveProduct } from '../../support/studio-cast.ts';
import { callBack, endOf } from './engine-reports.ts';
import type { Fault } from './recorded-line.ts';
import { ended, order, speak, untilSubmitted } from './tasks-of-every-kind.ts';
import type { LineName, World } from './world.ts';

interface Cases {
  readonly token: string;
  readonly accountId: string;
  /** A task that has ended and whose webhook was delivered, and one that is open. */
  readonly notified: string;
  readonly open: string;
}

async function meanwhile(world: World, line: LineName, fault: Fault, requests: RegExp, work: () => Promise<unknown>) {
  world.lines[line].fail(fault, requests);
  try {
    await work();
  } finally {
    world.lines[line].mend();
  }
}

const invoke = (world: World, name: string, event: unknown = {}): Promise<unknown> =>
  world.service.invoke(name, event).catch(() => undefined);

const delivery = (taskId: string, attempt: number) => ({
  Records: [{ messageId: 'repeated', body: JSON.stringify({ taskId, attempt }) }],
});

/** The database closes the connection, or responds with bytes that are not HTTP but contain the stored item. */
async function withoutDatabase(world: World, { token, notified, open }: Cases): Promise<void> {
  const headers = [['idempotency-key', world.words.idempotencyKey] as const];
  const job = world.engine.jobs.get(open);
  for (const fault of ['cut', 'garbled'] as const) {
    const during = (requests: RegExp, work: () => Promise<unknown>) =>
      meanwhile(world, 'database', fault, requests, work);
    await during(/UpdateItem/, () => world.call('getTask', { token, id: notified }));
    await during(/Query/, () => world.call('getTask', { token, id: notified }));
    await during(/BatchGetItem/, () => world.call('listTasks', { token, query: `ids=${notified}` }));
    await during(/TransactWriteItems/, () => world.call('generateVoice', { ...order(world, 'done'), token }));
    await during(/GetItem/, () => world.call('generateVoice', { ...order(world, 'done'), token, headers }));
    await during(/GetItem/, () => invoke(world, 'deliverWebhook', delivery(notified, 1)));
    await during(/GetItem/, () => invoke(world, 'sweepTasks', { everything: true }));
    await during(/GetItem/, () => invoke(world, 'auditLedger'));
    await during(/Query/, () => invoke(world, 'sweepTasks'));
    if (job) await during(/GetItem/, () => callBack(world, job));
  }
}

async function withoutWorkflow(world: World, { token }: Cases): Promise<void> {
  await meanwhile(world, 'workflow', 'cut', /StartExecution/, () => speak(world, token, 'silent'));
  await meanwhile(world, 'workflow', 'garbled', /StartExecution/, () => speak(world, token, 'silent'));
}

async function withoutQueue(world: World, { token }: Cases): Promise<void> {
  const taskId = await speak(world, token, 'silent');
  await meanwhile(world, 'queue', 'cut', /SendMessage/, () => world.call('cancelTask', { token, id: taskId }));
}

/** Two exports: the archive of the first cannot be stored until the export fails, and then another one succeeds. */
async function exportWithoutStorage(world: World, { accountId }: Cases): Promise<void> {
  const make = async (): Promise<void> => {
    await invoke(world, 'makeExports');
    world.service.advance(60_000);
  };
  await requestExport(world.context, accountId);
  await meanwhile(world, 'storage', 'cut', /^PUT/, async () => {
    for (let attempt = 1; attempt <= 4; attempt += 1) await make();
  });
  await requestExport(world.context, accountId);
  await make();
}

/**
 * Results that cannot be stored at first, and then two workers that store them concurrently, one of them too late. The
 * task has no execution, whose timeout could end it on a slow machine.
 */
async function withoutStorage(world: World, { token, notified }: Cases): Promise<void> {
  let taskId = '';
  await meanwhile(world, 'workflow', 'cut', /StartExecution/, async () => {
    taskId = await speak(world, token, 'done');
  });
  const job = world.engine.jobs.get(notified);
  if (!job) throw new Error('the engine has not been given the task');
  const { status, outputs } = endOf(world, job) as { status: string; outputs: { url: string }[] };
  const finalize = () => invoke(world, 'finalize', { taskId, outcome: { status, outputs } });
  let both: Promise<unknown> | undefined;
  for (const fault of ['cut', 'garbled'] as const) await meanwhile(world, 'storage', fault, /^PUT/, finalize);
  await meanwhile(world, 'storage', 'held', /^PUT/, async () => {
    both = Promise.all([finalize(), finalize()]);
    await eventually('that both store it', () => (world.lines.storage.holding >= 2 ? true : undefined));
  });
  await both;
  await ended(world, taskId);
  await callBack(world, job);
}

async function withoutSigningKeys(world: World): Promise<void> {
  const directory = world.service.environment[settingVariables.webhookSigningKeys] ?? '';
  renameSync(directory, `${directory}.away`);
  await world.ask('GET', '/.well-known/webhook-keys.json');
  renameSync(`${directory}.away`, directory);
  await world.ask('GET', '/.well-known/webhook-keys.json');
}

/** A result that cannot be marked, because the certificates are invalid, and is therefore stored unmarked. */
async function withoutCertificates(world: World, { token }: Cases): Promise<void> {
  const { contentCertificates, unmarkedResults } = settingVariables;
  world.goBy({ [contentCertificates]: world.words.brokenKey, [unmarkedResults]: 'stored' });
  const taskId = await speak(world, token, 'done');
  await callBack(world, await untilSubmitted(world, taskId, 1));
  await ended(world, taskId);
  // The audit also checks the certificates: here it cannot read them, and below it finds one that expires soon.
  await invoke(world, 'auditLedger');
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const from = new Date(world.context.clock.now());
  const until = new Date(from.getTime() + 10 * dayMs);
  world.goBy({ [contentCertificates]: certifyContentKey(publicKey, 'Us', { from, until }).certificate });
  await invoke(world, 'auditLedger');
  world.goBy({});
}

/** A key with a line break: a value that is invalid in a header must not be quoted in an error either. */
async function withBrokenKey(world: World, { token }: Cases): Promise<void> {
  world.goBy({ [settingVariables.offlineEngineKey]: world.words.brokenKey });
  await ended(world, await speak(world, token, 'silent'));
  world.goBy({});
}

/** Functions that crash because of their input. */
async function crashes(world: World, { token, notified }: Cases): Promise<void> {
  const { crash } = world.service;
  crash('generateVoice');
  await world.ask('POST', '/api/v1/generate/voice', { ...order(world, 'done'), token });
  crash('askEngine');
  const taskId = await speak(world, token, 'silent');
  await eventually('its submission', () => world.engine.jobs.get(taskId));
  crash('deliverWebhook');
  await invoke(world, 'deliverWebhook', delivery(notified, 1));
}

/** An account whose balance differs from the sum of its ledger. */
async function drift(world: World, { accountId }: Cases): Promise<void> {
  await world.context.table.update({
    Key: accountKey(accountId),
    UpdateExpression: 'SET balance = balance + :one',
    ExpressionAttributeValues: { ':one': 1 },
  });
  // An account that changes during the audit is left for the next audit.
  await eventually('an audit that finds it', async () => {
    const { drifts } = (await invoke(world, 'auditLedger')) as { drifts: unknown[] };
    return drifts.length > 0 ? true : undefined;
  });
  await reconcileAccount(world.context, accountId);
  await invoke(world, 'auditLedger');
}

/** A product whose title cannot be read. */
async function badRow(world: World, { token, accountId }: Cases): Promise<void> {
  await giveProduct(world.context, { accountId, title: 7 as unknown as string });
  await world.call('listStudioProducts', { token });
}

const minuteMs = 60_000;

/** Tasks that have not ended by now are overdue, and the sweeper logs them. */
async function timeOuts(world: World, { token }: Cases): Promise<void> {
  const taskIds = [await speak(world, token, 'silent'), await speak(world, token, 'unasked')];
  const isWorkedOn = (taskId: string) => world.engine.jobs.has(taskId);
  await eventually('the submission of both', () => (taskIds.every(isWorkedOn) ? true : undefined));
  const isChecked = () => (world.service.output.stderr.includes('engine job check failed') ? true : undefined);
  await eventually('a failed check of one', isChecked);
  world.service.advance(12 * minuteMs);
  await invoke(world, 'sweepTasks', { everything: true });
  for (const taskId of taskIds) await ended(world, taskId);
}

export async function runOutages(world: World, cases: Cases): Promise<void> {
  await withoutDatabase(world, cases);
  await withoutWorkflow(world, cases);
  await withoutQueue(world, cases);
  await withoutStorage(world, cases);
  await withoutSigningKeys(world);
  await withoutCertificates(world, cases);
  await withBrokenKey(world, cases);
  await crashes(world, cases);
  await exportWithoutStorage(world, cases);
  await timeOuts(world, cases);
  await drift(world, cases);
  await badRow(world, cases);
}
