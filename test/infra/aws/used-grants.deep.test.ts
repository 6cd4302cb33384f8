/** The permission table matches the calls that functions make: no permission is missing or unused. */
import { afterAll, expect, test } from 'vitest';
import { type ElevenLabsBehavior, startElevenLabsFake } from '../../../fakes/elevenlabs/elevenlabs-fake.ts';
import { functionNames } from '../../../infra/aws/grants.ts';
import type { FunctionName } from '../../../infra/hosting.ts';
import type { OperationContract } from '../../../shared/contracts/operation.ts';
import { type OperationId, registry } from '../../../shared/contracts/registry.ts';
import { engineFault } from '../../../shared/domain/engine-jobs/engine-fault.ts';
import { accountKey } from '../../../shared/domain/keys.ts';
import { stores } from '../../../shared/domain/stores.ts';
import { tokenStore } from '../../../shared/domain/tokens/token-store.ts';
import { resultsBucket } from '../../../shared/platform/bucket.ts';
import { elevenLabsEnvironment, elevenLabsKey } from '../../support/elevenlabs-environment.ts';
import { eventually } from '../../support/eventually.ts';
import { steppedClock } from '../../support/stepped-clock.ts';
import { giveExampleProduct } from '../../support/studio-cast.ts';
import { type TestService, testService } from '../../support/test-service.ts';
import { buyCredits } from './buy-credits.ts';
import { buySubscriptions } from './buy-subscriptions.ts';
import { cancelTooMany } from './cancel-too-many.ts';
import { claimRefund } from './claim-refund.ts';
import { clipRecording } from './clip-recording.ts';
import { failTooOften } from './fail-too-often.ts';
import { fullStage } from './full-stage.ts';
import { isRecorded } from './is-recorded.ts';
import { cancelProbes } from './open-circuits.ts';
import { type Allowance, allows, functionsOf } from './policies.ts';
import { optionalVariables, recordUses } from './recorded-uses.ts';
import { recountTheDay } from './recount-the-day.ts';
import { subscribe } from './subscribe.ts';
import { synthesize } from './synthesized.ts';
import { useActs } from './use-acts.ts';
import { useClosures } from './use-closures.ts';
import { logInToTheDashboard, useTheDashboard } from './use-dashboard.ts';
import { useExports } from './use-exports.ts';
import { useGenerations } from './use-generations.ts';
import { useInbox } from './use-inbox.ts';
import { logInAsOperator, useTheOperatorsPages } from './use-operators-pages.ts';
import { usePiloto } from './use-piloto.ts';
import { useStudio } from './use-studio.ts';
import { useTestCredits } from './use-test-credits.ts';
import { useUploads } from './use-uploads.ts';

const minuteMs = 60_000;
const sentence = { text: 'Uma frase curta.', voice: 'sarah' };

const speak = (headers: Record<string, string> = {}) =>
  host.speak(account.token, { ...sentence, callbackUrl: host.receiver.url }, headers);

/** Catalogs are cached for half a minute: expire the cache before each read. */
const call = (operationId: Parameters<TestService['call']>[0], options: object = {}) => {
  host.clock.advance(minuteMs);
  return host.call(operationId, { token: account.token, ...options });
};

const webhookDelivered = (taskId: string) =>
  eventually(`the webhook of ${taskId}`, async () => {
    const task = await host.service.context.tasks.find(taskId);
    return task?.webhookStatus === 'pending' ? undefined : true;
  });

/** A task that the engine has accepted but never reports on. */
async function held(): Promise<string> {
  host.engine.play({});
  const taskId = await speak();
  await host.engine.jobOf(taskId);
  return taskId;
}

async function readEverything(): Promise<void> {
  const reads = Object.values<OperationContract>(registry).filter(
    ({ method, path }) => method === 'GET' && !path.includes('{'),
  );
  for (const { operationId } of reads) await call(operationId as OperationId);
  await call('findProvenance', { params: { sha256: '0'.repeat(64) } });
  await fetch(`${host.url}/.well-known/webhook-keys.json`);
}

/** Deletes a task. The test then stores its result again, as a late engine would, and the next sweep finds it. */
async function deleteTwice(taskId: string): Promise<void> {
  const { deletedTasks, tasks } = host.service.context;
  const [result] = (await tasks.find(taskId))?.results ?? [];
  await call('deleteTask', { params: { taskId } });
  const late = { body: [Buffer.from('late')], contentType: 'audio/mpeg' };
  await resultsBucket(host.service.context).write(result?.key ?? '', late);
  await deletedTasks.eraseSoon(taskId);
  await host.service.invoke('sweepTasks', {});
}

async function makeAndRepeat(): Promise<void> {
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  host.receiver.respond((response, attempt) => {
    response.writeHead(attempt === 1 ? 500 : 204).end();
  });
  await call('generateVoice', { body: sentence, headers: { 'x-dry-run': 'true' } });
  const headers = { 'idempotency-key': 'once' };
  const taskId = await speak(headers);
  expect(await speak(headers)).toBe(taskId);
  await webhookDelivered(taskId);
  await call('getTask', { params: { taskId } });
  await call('listTaskEvents', { params: { taskId } });
  await call('redeliverWebhook', { params: { taskId } });
  await deleteTwice(taskId);
  for (const narrowing of ['', 'taskType=voice', 'clientReference=x', 'taskType=voice&clientReference=x'])
    for (const state of ['', '&status=completed', '&status=pending'])
      await call('listTasks', { query: `${narrowing}${state}` });
}

async function switchOperation(operationId: string, on: boolean): Promise<void> {
  await host.service.context.catalog.switchOperation(operationId, on);
  host.clock.advance(30_000);
}

/** If the engine finishes a job after its task was canceled, the step itself adds the charge to the figures. */
async function cancelDuringSubmission(): Promise<void> {
  const before = fake.requests.length;
  behavior.workMs = 3000;
  const taskId = await speak();
  await eventually('the request', async () => fake.requests.length > before || undefined);
  await call('cancelTask', { params: { taskId } });
  await eventually('the charge', async () => (await host.service.context.tasks.find(taskId))?.engineCost);
  behavior.workMs = 0;
}

/** The catalog contains the ids of ElevenLabs' voices. */
async function speakByElevenLabs(): Promise<void> {
  const { catalog } = host.service.context;
  await catalog.change('routes', { voice: { routes: ['elevenlabs/multilingual-v2'] } });
  host.clock.advance(minuteMs);
  const taskId = await speak();
  // The request has cached the catalog; when the second attempt runs, the cache has expired.
  await eventually('the first attempt', async () => fake.requests.length > 0 || undefined);
  host.clock.advance(minuteMs);
  await host.ended(account.token, taskId);
  await cancelDuringSubmission();
  await catalog.change('routes', { voice: undefined });
  host.clock.advance(minuteMs);
}

async function failInEveryWay(): Promise<void> {
  host.engine.play({
    submit: ({ submissions }) =>
      submissions === 1
        ? { status: 500, body: {} }
        : { status: 422, body: { error: { code: 'CONTENT_REJECTED', message: 'no' } } },
  });
  await webhookDelivered(await speak());
  await failTooOften(host, account, async () => webhookDelivered(await speak()));

  await call('cancelTask', { params: { taskId: await claimRefund(host, account.accountId, await held()) } });
  await call('deleteTask', { params: { taskId: await claimRefund(host, account.accountId, await held()) } });
  await cancelTooMany(host, account, call, await held());
  // The AskEngine state has failed while the engine still has the job.
  await host.service.invoke('finalize', {
    taskId: await claimRefund(host, account.accountId, await held()),
    outcome: { Error: 'States.Timeout' },
  });
  for (const error of [undefined, engineFault]) {
    const name = await claimRefund(host, account.accountId, await held());
    host.clock.advance(10_000);
    await host.service.invoke('settleExecution', { detail: { name, status: 'FAILED', error } });
  }
}

async function hearFromTheEngine(): Promise<void> {
  const job = await host.engine.jobOf(await held());
  expect(await host.engine.callBack(job, host.engine.report(job, 'running', { progress: 50 }))).toBe(200);
  host.clock.advance(10_000);
  expect(await host.engine.callBack(job, host.engine.done(job))).toBe(200);
  await webhookDelivered(job.id);
}

async function sweepAndAudit(): Promise<void> {
  const taskId = await claimRefund(host, account.accountId, await held());
  await host.service.invoke('sweepTasks', { everything: true });
  host.receiver.respond((response) => {
    response.writeHead(500).end();
  });
  host.clock.advance(20 * minuteMs);
  await host.service.invoke('sweepTasks', {});
  await host.ended(account.token, taskId);
  await host.service.invoke('sweepTasks', { everything: true });
  // A slot without a task makes the audit read further rows.
  await host.service.context.table.update({
    Key: accountKey(account.accountId),
    UpdateExpression: 'ADD openTasks :task',
    ExpressionAttributeValues: { ':task': new Set(['01a1fd95-eb05-76f2-abab-de878cfb9030']) },
  });
  await host.service.invoke('auditLedger', {});
  host.receiver.respond((response) => {
    response.writeHead(204).end();
  });
}

const dev = synthesize('dev').service('dev');
const functions = functionsOf(dev);
const recorded = recordUses();
// At its real pace, the workflow does not check an overdue task before the sweeper does.
const behavior: ElevenLabsBehavior = { next: ['system_busy'], last: 'done', workMs: 0 };
const fake = await startElevenLabsFake({ key: elevenLabsKey, behavior });
const clock = steppedClock();
const clips = await clipRecording(clock);
const environment = { ...elevenLabsEnvironment(fake), ...clips.environment };
const host = await testService({
  functions: recorded.functions,
  watchesEngines: true,
  hasIdentity: true,
  marksResults: true,
  pace: 1,
  environment,
  clock,
});
const { context } = host.service;
const settings = recorded.settings(context.settings);
const writing = { textWriter: clips.textWriter };
host.service.bind({
  ...context,
  settings,
  ...stores(context.table, context.clock, settings),
  ...writing,
});
const account = await host.account({ planId: 'business' });
// A debit of a token with a cap needs more permissions.
await tokenStore(host.service.context.table).setCap(account.accountId, account.tokenId, 1_000_000);
await giveExampleProduct(host.service.context, account.accountId, host.engine.inputUrls.image);
// This runs first, while the clock still agrees with that of the engine, which signs timestamps.
await hearFromTheEngine();
await readEverything();
await logInToTheDashboard(host);
await logInAsOperator(host, account);
await makeAndRepeat();
await useTheDashboard(host, account);
await failInEveryWay();
await sweepAndAudit();
await recountTheDay(host);
await useGenerations({ host, account, call, switchOperation, webhookDelivered });
await speakByElevenLabs();
await clips.lookUpLinks(call);
await clips.cutClips(host, account, call);
await clips.cancelDuringSubmission(host, account, call);
await clips.cancelDuringRanking(host, account, call);
await useStudio(host, account, call, switchOperation);
await useUploads(host, account, call);
await buyCredits(host, call, switchOperation);
await buySubscriptions(host, account);
await subscribe(host, switchOperation);
await useInbox(host, account.accountId);
await usePiloto(host, call, switchOperation);
await useTestCredits(host, account);
await cancelProbes(host, account, held);
await useTheOperatorsPages(host, account);
await useExports(host, account);
await useActs(host, account, { held, webhookDelivered });
await useClosures(host);
afterAll(async () => {
  recorded.stop();
  await Promise.all([host.close(), fake.close(), clips.close()]);
});

const usesOf = (name: FunctionName) => recorded.uses.filter(({ functionName }) => functionName === name);

test.each(functionNames)('%s makes only calls that its role allows', (name) => {
  const denied = usesOf(name).filter((use) => !allows(functions[name].allowances, use));
  expect(denied).toEqual([]);
});

/**
 * The settings of what a stage may lack, such as an engine, have no values then; a stage that has everything must set
 * all of them.
 */
test.each([
  ['local', synthesize('local').service('local'), false],
  ['dev', dev, false],
  ['with everything', fullStage('marked').service('marked'), true],
])('on the stage %s, every function gets the settings that it reads', (_, service, hasEverything) => {
  const deployed = Object.entries(functionsOf(service));
  const given = new Set(deployed.flatMap(([, { environment: variables }]) => Object.keys(variables)));
  const isNeeded = (read: string) => given.has(read) || (hasEverything && !optionalVariables.has(read));
  const missing = deployed.flatMap(([name, { environment: variables }]) =>
    [...(recorded.settingsRead.get(name) ?? [])]
      .filter((read) => isNeeded(read) && !(read in variables))
      .map((read) => `${name}: ${read}`),
  );
  expect(missing).toEqual([]);
});

test.each(functionNames)('%s uses every permission of its role', (name) => {
  const idle = functions[name].allowances
    .filter(isRecorded)
    .flatMap(({ action, resource, keys }) =>
      (keys ?? [undefined])
        .map((key): Allowance => ({ action, resource, ...(key !== undefined && { keys: [key] }) }))
        .filter((allowance) => !usesOf(name).some((use) => allows([allowance], use))),
    );
  expect(idle).toEqual([]);
});
