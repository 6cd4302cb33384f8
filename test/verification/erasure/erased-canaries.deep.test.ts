/** An erased account leaves nothing of it in any row, object, message or log line, and nothing of others changes. */
import { isDeepStrictEqual } from 'node:util';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closedAccountDays } from '../../../shared/contracts/limits.ts';
import { connectionStore } from '../../../shared/domain/piloto/pages/connection-store.ts';
import type { RowKind } from '../../../shared/domain/privacy/data-kind.ts';
import { kindOfRow, rowKinds } from '../../../shared/domain/privacy/register.ts';
import { addressDigest } from '../../../shared/domain/sessions/invitation.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import { eventually } from '../../support/eventually.ts';
import { callAsPage } from '../../support/given-session.ts';
import { recordedOutput } from '../../support/recorded-output.ts';
import { storedItems } from '../../support/stored-items.ts';
import { type TestService, testService } from '../../support/test-service.ts';
import { outsideParties } from '../extremes/outside-parties.ts';
import { type Canary, sightings } from '../secrets/search.ts';
import { type CanaryAccount, canaryAccount } from './canary-account.ts';
import { messagesIn, objectsIn, type Places, rowsIn } from './everywhere.ts';
import { noteForLater, sendLateEvents } from './late-events.ts';

// Everything is logged, metrics too.
const observed = { POWERTOOLS_LOG_LEVEL: 'TRACE', [settingVariables.metricsDisabled]: 'false' };
Object.assign(process.env, observed);
const output = recordedOutput();
const { parties, ...outside } = await outsideParties(() => host);
const host: TestService = await testService({
  hasIdentity: true,
  marksResults: true,
  environment: { ...outside.environment, ...observed },
});
const { context, environment } = host.service;
afterAll(async () => {
  await host.close();
  await outside.close();
});

const [canary, othersCanary] = [context.ids.secret(12), context.ids.secret(12)];
const email = `${canary}@example.com`;
const canaries: readonly Canary[] = [
  { name: 'text', text: canary },
  { name: 'digest of the address', text: addressDigest(email) },
];

/** Each place with a canary, in whatever encoding. */
const sightingsIn = (places: Places): string[] => [
  ...new Set(
    [...places].flatMap(([place, bytes]) => sightings(bytes, canaries).map(({ canary: of }) => `${place}: ${of}`)),
  ),
];

const logs = (): Places => new Map(Object.entries(output).map(([name, text]) => [name, Buffer.from(text)]));

async function everySighting(): Promise<string[]> {
  const places = [await rowsIn(host), await objectsIn(host), await messagesIn(host), logs()];
  return places.flatMap(sightingsIn);
}

/** The digest with which the first credits are given once per address is kept, as the register says. */
const kept = [expect.stringMatching(/^SIGN-UP#\S+ SIGN-UP: digest of the address$/)];

async function run(...names: readonly string[]): Promise<void> {
  for (const name of names) await host.service.invoke(name, {});
}

/** The personal fields of rows that the canary is in. */
async function fieldsWithCanary(): Promise<Set<string>> {
  const rows = [...(await storedItems(environment)).values()].map((item) => unmarshall(item));
  const fieldsOf = (row: Record<string, unknown>) =>
    Object.entries(row).flatMap(([name, value]) =>
      JSON.stringify([value]).includes(canary) ? [`${kindOfRow(row)}.${name}`] : [],
    );
  return new Set(rows.flatMap(fieldsOf));
}

/** The personal fields of the register that do not expire before an account is erased. */
const personalFields = Object.entries(rowKinds as Readonly<Record<string, RowKind>>).flatMap(([kind, one]) =>
  one.erasure === 'expires'
    ? []
    : Object.keys(one.fields).flatMap((name) => (one.fields[name] === 'personal' ? [`${kind}.${name}`] : [])),
);

/** Personal fields with numbers, keys, ids and words that the service or its contract chooses, so without any text. */
const withoutText: readonly string[] = [
  'session.subject',
  'task.derived',
  'task.errorMessage',
  'task.errorDetail',
  'task.results',
  'task.promise',
  'task.measuredSeconds',
  'engineJob.inputKeys',
  'influencer.gender',
  'influencer.ageRange',
  'influencer.portraits',
  'file.key',
  'connection.userId',
  'connection.fault',
];

/** The rows and objects of the other account, by their keys. */
async function ofOther({ accountId }: CanaryAccount): Promise<ReadonlyMap<string, unknown>> {
  const taskIds = await context.tasks.ids(accountId, {}, { limit: 100, offset: 0 });
  const isOwn = (text: string) => [accountId, othersCanary, ...taskIds].some((own) => text.includes(own));
  const rows = [...(await storedItems(environment))].map(([key, item]) => [key, unmarshall(item)] as const);
  const objects = [...(await objectsIn(host))].map(([key, bytes]) => [key, bytes.toString('base64')] as const);
  return new Map<string, unknown>([
    ...rows.filter(([key, row]) => isOwn(key + JSON.stringify(row))),
    ...objects.filter(([key]) => isOwn(key)),
  ]);
}

/** Workflows that the sweep resumed change the account's rows until they end. */
async function tasksEnded({ accountId }: CanaryAccount): Promise<void> {
  for (const taskId of await context.tasks.ids(accountId, {}, { limit: 100, offset: 0 }))
    await eventually(`the end of ${taskId}`, async () => (await context.tasks.find(taskId))?.endedAt);
}

/** Pages of the account are not synchronized any more, so that nothing but the erasure could change its rows. */
async function stopSynchronizing({ accountId }: CanaryAccount): Promise<void> {
  const connections = connectionStore(context.table);
  for (const { leasedUntil: _, ...one } of await connections.of(accountId))
    await connections.save({ ...one, dueAt: host.clock.now() + 365 * 86_400_000 });
}

let made: CanaryAccount;
let other: CanaryAccount;
let noted: Awaited<ReturnType<typeof noteForLater>>;

beforeAll(async () => {
  made = await canaryAccount(host, parties, canary);
  other = await canaryAccount(host, parties, othersCanary);
  await stopSynchronizing(other);
  for (const { cookie } of [made, other]) {
    const { status } = await callAsPage(host.url, 'requestExport', { cookie, body: {} });
    expect(status).toBeLessThan(300);
  }
  await run('makeExports', 'sweepTasks');
  noted = await noteForLater(host, made);
});

test('an account is erased everywhere, and another one with the same data stays as it is', async () => {
  const { accountId, cookie } = made;
  const planted = await fieldsWithCanary();
  expect(personalFields.filter((field) => !planted.has(field))).toEqual(withoutText);
  const exported = sightingsIn(await objectsIn(host));
  expect(exported).toContainEqual(expect.stringMatching(/^inputs exports\/.*: text$/));
  expect(output.stdout).toContain('"_aws"');
  expect(sightingsIn(logs())).toEqual([]);

  expect((await callAsPage(host.url, 'closeAccount', { cookie, body: {} })).status).toBe(200);
  await run('eraseClosedAccounts');
  host.clock.advance(closedAccountDays * 86_400_000 - 60_000);
  // Everything that is due for the other account is done, so that nothing but the erasure could change it.
  await run('reconcileOrders', 'reconcileSubscriptions', 'sweepTasks', 'auditLedger', 'makeExports');
  await run('eraseClosedAccounts');
  await tasksEnded(other);
  const before = await ofOther(other);
  expect(before.size).toBeGreaterThan(100);
  host.clock.advance(60_000);
  await eventually('the erasure', async () => {
    await run('eraseClosedAccounts');
    if ((await context.accounts.find(accountId))?.erasedAt !== undefined) return true;
    host.clock.advance(61_000);
    await run('scheduleInboxSyncs');
    return undefined;
  });
  const after = await ofOther(other);
  expect([...before].filter(([key, one]) => !isDeepStrictEqual(after.get(key), one)).map(([key]) => key)).toEqual([]);
  host.clock.advance(2 * 3_600_000);
  await run('eraseClosedAccounts', 'sweepTasks');
  expect(await everySighting()).toEqual(kept);
  await host.audit();
});

test('nothing that arrives late brings back an erased account, and payments that are taken back are booked', async () => {
  await sendLateEvents(made, noted, parties, canary);
  await run('sweepTasks', 'makeExports', 'scheduleInboxSyncs');
  expect(await everySighting()).toEqual(kept);
  expect(await context.accounts.find(made.accountId)).toMatchObject({ name: '', email: '' });
  await host.audit();
});
