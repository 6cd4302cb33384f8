/** The attempts at a webhook: their schedule, what counts as a delivery, and what the task shows of them. */
import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Delivery, type WebhookReceiver, webhookReceiver } from '../support/webhook-receiver.ts';
import { webhookScene } from './webhook-scene.ts';

const receivers: WebhookReceiver[] = [];

const scene = await webhookScene();
const { host } = scene;
scene.completeTasks();
afterAll(async () => {
  await scene.close();
  for (const receiver of receivers) await receiver.close();
});

/** A separate receiver for each test, with an account whose tasks notify it. */
async function backEnd(reply: Parameters<WebhookReceiver['respond']>[0]) {
  const [receiver, { token }] = await Promise.all([webhookReceiver(), host.account()]);
  receivers.push(receiver);
  receiver.respond(reply);
  return {
    receiver,
    speak: (callbackUrl = receiver.url) => host.speak(token, { text: 'Uma frase.', voice: 'lily', callbackUrl }),
    settled: (taskId: string) => scene.settled(token, taskId),
  };
}

// These tests wait for real seconds, each with a separate receiver.
describe.concurrent('a webhook receiver', () => {
  test('that does not respond fails its attempt after ten seconds and delays no other receiver', async () => {
    const silent = await backEnd((response, attempt) => {
      if (attempt > 1) response.writeHead(200).end();
    });
    const slow = await silent.speak();
    await eventually('the first attempt', () => silent.receiver.of(slow)[0]);
    const prompt = await backEnd((response) => {
      response.writeHead(200).end();
    });
    expect(await prompt.settled(await prompt.speak())).toMatchObject({ status: 'delivered' });
    const webhook = await silent.settled(slow);
    expect(webhook?.attempts[0]).toMatchObject({ statusCode: null, error: 'timeout' });
    expect(webhook?.attempts[0]?.durationMs).toBeGreaterThanOrEqual(9990);
    expect(webhook?.status).toBe('delivered');
  });

  test('can fail with any status that an HTTP server can send, without making its task unreadable', async () => {
    const { speak, settled } = await backEnd((response) => void response.writeHead(999).end());
    expect(await settled(await speak())).toMatchObject({ attempts: [{}, {}, { statusCode: 999 }] });
  });

  test('whose response has a status that does not exist fails without one, and its task stays readable', async () => {
    const { speak, settled } = await backEnd(({ socket }) => void socket?.end('HTTP/1.1 000 X\r\n\r\n'));
    expect(await settled(await speak())).toMatchObject({
      status: 'failed',
      attempts: Array.from({ length: 3 }, () => ({ statusCode: null, error: 'status 0' })),
    });
  });

  test('that fails gets three attempts with the same body, separated by pauses of at least two and four seconds', async () => {
    const { receiver, speak, settled } = await backEnd((response) => {
      setTimeout(() => response.writeHead(500).end(), 300);
    });
    const taskId = await speak();
    expect(await settled(taskId)).toMatchObject({
      status: 'failed',
      attempts: Array.from({ length: 3 }, () => ({ statusCode: 500, error: 'status 500' })),
    });
    const [first, second, third, ...more] = receiver.of(taskId);
    expect(more).toEqual([]);
    expect((second?.at ?? 0) - (first?.respondedAt ?? 0)).toBeGreaterThanOrEqual(1990);
    expect((third?.at ?? 0) - (second?.respondedAt ?? 0)).toBeGreaterThanOrEqual(3990);
    expect(new Set([first?.body, second?.body, third?.body]).size).toBe(1);
  });

  test('that fails gets the same id and a new signature on each attempt, all valid with the published keys', async () => {
    const { receiver, speak, settled } = await backEnd((response) => {
      response.writeHead(500).end();
    });
    const taskId = await speak();
    const webhook = await settled(taskId);
    const deliveries = receiver.of(taskId);
    const seconds = webhook?.attempts.map(({ at }) => Math.floor(Date.parse(at) / 1000)) ?? [];
    expect(await scene.verdicts(deliveries)).toEqual(
      seconds.map((timestamp) => ({ ok: true, id: `msg_${taskId}`, timestamp })),
    );
    expect(new Set(deliveries.map(({ headers }) => headers['webhook-signature'])).size).toBe(3);
    const [first, second] = deliveries;
    const mixed = { ...first?.headers, 'webhook-signature': second?.headers['webhook-signature'] };
    expect(await scene.verdicts([{ ...first, headers: mixed } as Delivery])).toEqual([
      { ok: false, reason: 'no matching signature' },
    ]);
  });

  test('that accepts no connection is reported as unreachable, without its address', async () => {
    const { speak, settled } = await backEnd(() => undefined);
    const taskId = await speak('http://127.0.0.1:9/closed');
    expect(await settled(taskId)).toMatchObject({
      status: 'failed',
      attempts: Array.from({ length: 3 }, () => ({ statusCode: null, error: 'connection' })),
    });
  });

  test('that fails once gets a second attempt and no third', async () => {
    const { receiver, speak, settled } = await backEnd((response, attempt) => {
      response.writeHead(attempt === 1 ? 503 : 200).end();
    });
    const taskId = await speak();
    expect(await settled(taskId)).toMatchObject({
      status: 'delivered',
      attempts: [{ statusCode: 503 }, { statusCode: 200 }],
    });
    expect(receiver.of(taskId)).toHaveLength(2);
  });

  test('that redirects gets another attempt, and the redirect is not followed', async () => {
    const { receiver, speak, settled } = await backEnd((response, attempt) => {
      if (attempt === 1) response.writeHead(302, { location: '/elsewhere' }).end();
      else response.writeHead(200).end();
    });
    const taskId = await speak();
    await settled(taskId);
    expect(receiver.of(taskId).map(({ path }) => path)).toEqual(['/hook', '/hook']);
  });

  test('that responds 200 confirms the delivery, even if it never finishes the body of its response', async () => {
    const { receiver, speak, settled } = await backEnd((response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('x');
    });
    const taskId = await speak();
    expect(await settled(taskId)).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 200, error: null }] });
    expect(receiver.of(taskId)).toHaveLength(1);
  });
});
