/** A task whose result KMS does not sign: how it ends, from the engine to the webhook. */
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { certifyContentKey } from '../../infra/content-authority.ts';
import { settingsOf, settingVariables } from '../../shared/platform/settings.ts';
import { contentCredentials } from '../../shared/provenance/content-credentials.ts';
import { awsJsonEndpoint } from '../support/aws-json-endpoint.ts';
import { eventually } from '../support/eventually.ts';
import { readCredentials } from '../support/read-credentials.ts';
import { recordedMetrics } from '../support/recorded-metrics.ts';
import { storedKeys } from '../support/stored-keys.ts';
import { serviceInTests } from '../support/test-service.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { certificate } = certifyContentKey(publicKey, 'Us', {
  from: new Date('2026-01-01T00:00:00Z'),
  until: new Date('2056-01-01T00:00:00Z'),
});
const folder = mkdtempSync(join(tmpdir(), 'kms-'));
const keyFile = join(folder, 'key.pem');
writeFileSync(keyFile, privateKey.export({ format: 'pem', type: 'pkcs8' }));
/** Signs a digest, as KMS does. */
async function signed(digest: Buffer): Promise<Buffer> {
  const openssl = promisify(execFile)('openssl', ['pkeyutl', '-sign', '-inkey', keyFile], { encoding: 'buffer' });
  openssl.child.stdin?.end(digest);
  return (await openssl).stdout;
}

/** How many more requests KMS rejects, with an error that its client does not retry. */
let refusals = 0;
let requests = 0;
const kms = await awsJsonEndpoint(async (_operation, { Message = '' }) => {
  requests += 1;
  refusals -= 1;
  if (refusals >= 0) return { __type: 'DisabledException', message: 'the key is disabled' };
  return { Signature: (await signed(Buffer.from(Message, 'base64'))).toString('base64') };
});

const host = await serviceInTests({
  marksResults: true,
  environment: {
    [settingVariables.contentSigningKey]: 'arn:aws:kms:us-east-1:123456789012:key/content',
    [settingVariables.contentCertificates]: certificate,
    AWS_ENDPOINT_URL_KMS: kms.url,
  },
});
host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
afterAll(async () => {
  await kms.close();
  rmSync(folder, { recursive: true });
});

/**
 * Creates a voice task while KMS rejects some requests. Returns the ended task, what is stored for it, and how often
 * the metric of the alarm was recorded.
 */
async function spoken(refused: number, unmarkedResults = 'rejected') {
  [refusals, requests] = [refused, 0];
  const { context, environment } = host.service;
  const metrics = recordedMetrics();
  const settings = settingsOf({ ...environment, [settingVariables.unmarkedResults]: unmarkedResults });
  const provenance = contentCredentials({ clock: host.clock, settings });
  const { accountId, token } = await host.account({ credits: 10 });
  const task = await host.withContext(Object.assign({ ...context, metrics }, { provenance }), async () => {
    const taskId = await host.speak(token, { text: 'Oi.', voice: 'brian', callbackUrl: host.receiver.url });
    await host.ended(token, taskId);
    await eventually('the webhook', () => host.receiver.of(taskId)[0]);
    return host.task(token, taskId);
  });
  await host.audit();
  expect(host.receiver.of(task.id)).toHaveLength(1);
  const alarms = metrics.recorded.filter(([values]) => 'ResultsUnmarked' in values);
  const files = await storedKeys(environment.AWS_ENDPOINT_URL_S3, `results/${task.id}`);
  const { balance } = await host.standing(accountId);
  return { task, files, balance, alarms: alarms.length };
}

async function resultOf(url: string | null | undefined) {
  const file = await fetch(url ?? '');
  return { contentType: 'audio/mpeg', bytes: new Uint8Array(await file.arrayBuffer()) };
}

/**
 * Each attempt requests two signatures: first for the result with the contents of input files, and then without them,
 * because they could be the cause of the failure.
 */
const attempts = 5;
const requestsOf = (count: number) => 2 * count;

test.for([
  ['once', 1, 0],
  ['during the whole first attempt', 2, 1],
  ['until the last attempt', requestsOf(attempts - 1), attempts - 1],
] as const)(
  'if KMS refuses %s, a later request signs the result, and the task is charged once',
  async ([, refused, alarmed]) => {
    const { task, files, balance, alarms } = await spoken(refused);
    expect(task).toMatchObject({ status: 'completed', creditsUsed: 1, creditsRefunded: 0 });
    expect([requests, balance, alarms, files.length]).toEqual([refused + 1, 9, alarmed, 1]);
    expect(task.results?.[0]?.provenance).toMatchObject({ signedBy: 'Us' });
    const [read] = await readCredentials([await resultOf(task.resultUrl)]);
    expect(read).toMatchObject({ state: 'Valid', signedBy: 'Us' });
  },
);

test('if KMS refuses every signature, the task fails after five attempts, is refunded once, and nothing is published', async () => {
  const { task, files, balance, alarms } = await spoken(Number.POSITIVE_INFINITY);
  expect(task).toMatchObject({
    status: 'failed',
    error: { code: 'INTERNAL_ERROR' },
    creditsUsed: 1,
    creditsRefunded: 1,
  });
  expect([requests, balance, alarms, files]).toEqual([requestsOf(attempts), 10, attempts, []]);
});

test('if KMS refuses every signature and the stage stores unsigned results, the engine’s file is stored, and an alarm counts it', async () => {
  const { task, files, balance, alarms } = await spoken(Number.POSITIVE_INFINITY, 'stored');
  expect(task).toMatchObject({ status: 'completed', creditsRefunded: 0 });
  expect([requests, balance, alarms, files.length]).toEqual([2, 9, 1, 1]);
  expect(task.results?.[0]?.provenance).toBeNull();
  const [read] = await readCredentials([await resultOf(task.resultUrl)]);
  expect(read?.state).toBe('none');
});
