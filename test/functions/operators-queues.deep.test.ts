/** The queues as operators see them over HTTP, and moving dead letters back. */
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, expect, test } from 'vitest';
import type { OperateOperationId } from '../../shared/contracts/operate.ts';
import { performers } from '../../shared/contracts/operate-acts.ts';
import { actLog } from '../../shared/domain/operators/act-log.ts';
import { deadLetters } from '../../shared/platform/dead-letters.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import { eventually } from '../support/eventually.ts';
import { callAsOperator, giveOperator } from '../support/given-operator.ts';
import { callPage, type PageCall } from '../support/given-session.ts';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests({ hasIdentity: true });
const { context } = host.service;
const queues = deadLetters(context);
const sqs = new SQSClient({ ...context.settings.aws('SQS') });
afterAll(() => sqs.destroy());

const urls = {
  webhooks: context.settings.webhookDeadLettersUrl,
  'payment-events': context.settings.paymentDeadLettersUrl,
  inbox: context.settings.inboxDeadLettersUrl,
} as const;
type Name = keyof typeof urls;

const die = (queue: Name, message: unknown) =>
  sqs.send(
    new SendMessageCommand({
      QueueUrl: urls[queue],
      MessageBody: typeof message === 'string' ? message : JSON.stringify(message),
    }),
  );

async function read<Data>(operationId: OperateOperationId, call: PageCall = {}): Promise<Data> {
  const { cookie } = await giveOperator(context, 'viewer');
  const { body, status } = await callAsOperator(host.url, operationId, { cookie, ...call });
  expect([operationId, status]).toEqual([operationId, 200]);
  return body.data as Data;
}

async function redrive(queue: Name, key = context.ids.next(), headers: Record<string, string> = {}) {
  const { cookie } = await giveOperator(context, 'admin');
  return callPage(host.url, performers.queue, {
    params: { act: 'redriveDeadLetters' },
    body: { reason: 'The bug is fixed.', input: { queue } },
    cookie,
    headers: { 'idempotency-key': key, ...headers },
  });
}

const { accountId, token } = await host.account();

test('dead letters are shown with their kind and ids, but nothing that anybody wrote', async () => {
  const page = { channel: 'instagram', pageId: '17841' };
  const message = { id: 'm_1', text: 'the secret text', createdAt: 0 };
  await die('inbox', { kind: 'events', events: [{ kind: 'message', ...page, participantId: 'visitor', message }] });
  await die('inbox', { kind: 'work', accountId, channel: 'the secret text', token: 'secret' });
  await die('inbox', 'no JSON, but the secret text');
  const { deadLetters: shown } = await read<{ deadLetters: readonly { kind: string; ids: object }[] }>(
    'listDeadLetters',
    { params: { queue: 'inbox' } },
  );
  expect(shown.map(({ ids, kind }) => [kind, ids])).toEqual(
    expect.arrayContaining([
      ['message', page],
      ['work', { accountId }],
      ['unknown', {}],
    ]),
  );
  expect(JSON.stringify(shown)).not.toMatch(/secret|visitor/);
  const { queues: depths } = await read<{ queues: readonly object[] }>('listQueues');
  expect(depths).toContainEqual({ queue: 'inbox', waiting: 0, delayed: 0, inFlight: 0, deadLetters: 3 });
});

test('dead letters are moved back once for each key, in batches, and the log says how many', async () => {
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  const taskId = await host.speak(token, { text: 'Olá', voice: 'sarah', callbackUrl: host.receiver.url });
  await host.ended(token, taskId);
  await eventually('the webhook', () => host.receiver.of(taskId)[0]);
  await Promise.all(Array.from({ length: 12 }, () => die('webhooks', { taskId, attempt: 1 })));
  const preview = await redrive('webhooks', undefined, { 'x-dry-run': 'true' });
  expect(preview.body.data).toEqual({ before: { deadLetters: 12 }, after: null });
  expect(await queues.count('webhooks')).toBe(12);
  const { body } = await redrive('webhooks', 'moved once');
  expect(body.data).toMatchObject({
    state: 'done',
    before: { deadLetters: 12 },
    after: { moved: 12, mayHaveMore: false },
  });
  expect(await queues.count('webhooks')).toBe(0);
  await die('webhooks', { taskId, attempt: 1 });
  expect((await redrive('webhooks', 'moved once')).body.data).toEqual(body.data);
  expect(await queues.count('webhooks')).toBe(1);
  await redrive('webhooks');
  await eventually('the queue is processed', async () => {
    const depth = (await queues.depths()).find(({ queue }) => queue === 'webhooks');
    return (depth?.waiting === 0 && depth.inFlight === 0) || undefined;
  });
  expect(host.receiver.of(taskId)).toHaveLength(1);
});

test('if the queue is unreachable, no dead letter is lost, and the log has the act as failed', async () => {
  await die('payment-events', { gateway: 'stripe', eventId: 'evt_1', subject: 'in_1' });
  const nowhere = { [settingVariables.paymentQueueUrl]: 'http://127.0.0.1:9/000000000000/no-queue' };
  const response = await host.withEnvironment(nowhere, () => redrive('payment-events'));
  expect(response.status).toBeGreaterThanOrEqual(500);
  const [entry] = await actLog(context.table).list({ limit: 1 });
  expect(entry).toMatchObject({
    act: 'redriveDeadLetters',
    state: 'failed',
    subject: 'dead letters of payment-events',
    after: { moved: 0 },
  });
  expect(await queues.count('payment-events')).toBe(1);
});
