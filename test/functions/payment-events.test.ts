/** Events of payments over HTTP: each applies once, in any order, and only if the gateway signed it. */
import { GetQueueAttributesCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { processPaymentEvent } from '../../functions/background/process-payment-event.ts';
import { localIdentity } from '../../infra/local/service-environment.ts';
import { noPixGateway } from '../../shared/gateways/no-pix-gateway.ts';
import { noSubscriptionGateway } from '../../shared/gateways/no-subscription-gateway.ts';
import { deadLetters } from '../../shared/platform/dead-letters.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import { eventually } from '../support/eventually.ts';
import { RecordingLogger } from '../support/recording-logger.ts';
import { sendPaymentEvent } from '../support/signed-payment-event.ts';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';
import { creditOrderScene, type Order } from './credit-order-scene.ts';

let account: TestAccount;
let scene: ReturnType<typeof creditOrderScene>;

const host = await serviceInTests();
const gateway = host.service.payments;
beforeEach(async () => {
  gateway.events = 'at once';
  account = await host.account({ credits: 10 });
  scene = creditOrderScene(host, account);
});

test('a repeated payment event has no further effect, whatever has happened in the meantime', async () => {
  const order = await scene.order();
  await scene.change(order.id, 'pay');
  gateway.events = 'lost';
  await scene.change(order.id, 'refund');
  await gateway.resend(scene.chargeOf(order.id));
  expect([(await scene.read(order.id)).status, await scene.balance()]).toEqual(['paid', 110]);
  await host.service.invoke('reconcileOrders', {});
  expect([(await scene.read(order.id)).status, await scene.balance()]).toEqual(['refunded', 10]);
});

test('an event of another payment takes effect even if its id was used before', async () => {
  const [order, other] = [await scene.order(), await scene.order()];
  await scene.change(order.id, 'pay');
  gateway.events = 'lost';
  await scene.change(other.id, 'pay');
  await gateway.resend(scene.chargeOf(other.id));
  expect([(await scene.read(other.id)).status, await scene.balance()]).toEqual(['paid', 210]);
});

test('the event of a payment that arrives after its refund’s event credits nothing', async () => {
  const order = await scene.order();
  gateway.events = 'reordered';
  await scene.change(order.id, 'pay');
  gateway.events = 'at once';
  await scene.change(order.id, 'refund');
  expect([(await scene.read(order.id)).status, await scene.balance(), await scene.openCases(order.id)]).toEqual([
    'refunded',
    10,
    [],
  ]);
  await host.audit();
});

test('a signed event of Mercado Pago about anything other than payments is acknowledged and changes nothing', async () => {
  const order = await scene.order();
  gateway.events = 'lost';
  await scene.change(order.id, 'pay');
  const paymentId = scene.chargeOf(order.id);
  const response = await sendPaymentEvent(host, { paymentId, eventId: 'chargeback', type: 'chargebacks' });
  expect(response.status).toBe(200);
  expect([(await scene.read(order.id)).status, await scene.balance()]).toEqual(['pending', 10]);
});

test('forged payment events change nothing', async () => {
  const order = await scene.order();
  gateway.events = 'lost';
  await scene.change(order.id, 'pay');
  const url = `${host.url}/inbound/payments/mercado-pago?data.id=${scene.chargeOf(order.id)}&type=payment`;
  const ts = host.clock.now();
  for (const signature of ['', `ts=${ts},v1=${'0'.repeat(64)}`, `ts=${ts},v1=`]) {
    const headers = { 'x-signature': signature, 'x-request-id': 'forged', 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBeNull();
    expect(await response.text()).toContain('The signature is missing, wrong or too old.');
  }
  expect([(await scene.read(order.id)).status, await scene.balance()]).toEqual(['pending', 10]);
});

describe('a payment event that cannot be processed when it arrives', () => {
  let sqs: SQSClient;
  let queueUrl: string;
  const tries = 3;

  beforeAll(async () => {
    queueUrl = host.service.environment[settingVariables.paymentQueueUrl] ?? '';
    const access = { ...localIdentity, AWS_ENDPOINT_URL_SQS: new URL(queueUrl).origin };
    for (const [name, value] of Object.entries(access)) vi.stubEnv(name, value);
    sqs = new SQSClient();
    const { Attributes: { RedrivePolicy = '' } = {} } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['All'] }),
    );
    const policy = JSON.stringify({ ...(JSON.parse(RedrivePolicy) as object), maxReceiveCount: tries });
    const impatient = { DelaySeconds: '0', VisibilityTimeout: '1', RedrivePolicy: policy };
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl: queueUrl, Attributes: impatient }));
  });
  afterAll(() => {
    sqs.destroy();
    vi.unstubAllEnvs();
  });

  /** The state of a queue: how many messages are waiting, and how many are being processed. */
  async function messages(QueueUrl: string): Promise<string> {
    const wanted = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
    const { Attributes: counts } = await sqs.send(wanted);
    return `${counts?.ApproximateNumberOfMessages}, ${counts?.ApproximateNumberOfMessagesNotVisible}`;
  }

  const isPaid = async ({ id }: Order) => (await scene.read(id)).status === 'paid' || undefined;
  const arrive = (order: Order, eventId: string) =>
    sendPaymentEvent(host, { paymentId: scene.chargeOf(order.id), eventId });

  async function paidUnnoticed(): Promise<Order> {
    const order = await scene.order();
    gateway.events = 'lost';
    await scene.change(order.id, 'pay');
    return order;
  }

  test('is accepted, and takes effect once as soon as the gateway responds again', async () => {
    const order = await paidUnnoticed();
    gateway.outcomes.push(500, 'down');
    expect((await arrive(order, 'early')).status).toBe(200);
    await eventually('the payment is credited', () => isPaid(order));
    expect((await arrive(order, 'early')).status).toBe(200);
    expect(await scene.balance()).toBe(110);
    await host.audit();
  });

  test('becomes a dead letter after its last attempt, and takes effect once when it is redriven', async () => {
    const order = await paidUnnoticed();
    gateway.outcomes.push(...Array.from({ length: 1 + tries }, () => 500));
    expect((await arrive(order, 'poisoned')).status).toBe(200);
    const queues = deadLetters(host.service.context);
    const isDead = async () => (await queues.count('payment-events')) === 1 || undefined;
    await eventually('the event becomes a dead letter', isDead);
    expect([(await scene.read(order.id)).status, await scene.balance()]).toEqual(['pending', 10]);
    const moved: number[] = [];
    await queues.redrive('payment-events', (more) => moved.push(more));
    expect(moved).toEqual([1]);
    await eventually('the payment is credited', () => isPaid(order));
    expect(await scene.balance()).toBe(110);
  });

  test('is refused if it cannot be enqueued either, so that the gateway sends it again', async () => {
    const order = await paidUnnoticed();
    gateway.outcomes.push(500);
    const nowhere = { AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9', PAYMENT_QUEUE_URL: 'http://127.0.0.1:9/0/events' };
    const response = await host.withEnvironment(nowhere, () => arrive(order, 'unheard'));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
    expect([(await scene.read(order.id)).status, await scene.balance()]).toEqual(['pending', 10]);
  });

  test.for(['mercado-pago', 'stripe'] as const)(
    'is ignored with a warning if its subject is unknown to the gateway: %s',
    async (from) => {
      const logger = new RecordingLogger();
      const gateways = { pixGateway: noPixGateway, subscriptionGateway: noSubscriptionGateway };
      const event = { gateway: from, eventId: 'unknown', subject: '7' };
      await processPaymentEvent(event, { ...host.service.context, ...gateways, logger });
      expect(logger.warnings).toEqual([{ message: 'payment event ignored', ...event, outcome: 'unknown' }]);
    },
  );

  test('is accepted and leaves no dead letter if its payment is unknown to the gateway', async () => {
    const response = await sendPaymentEvent(host, { paymentId: 7, eventId: 'unknown' });
    expect(response.status).toBe(200);
    await eventually('the queue is empty', async () => (await messages(queueUrl)) === '0, 0' || undefined);
    expect(await messages(`${queueUrl}-dead-letters`)).toBe('0, 0');
  });
});

test('a service without a payment gateway has no route for payment events', async () => {
  await host.withEnvironment({ [settingVariables.pixGateway]: 'none' }, async () => {
    expect((await sendPaymentEvent(host, { paymentId: 7, eventId: 'any' })).status).toBe(404);
  });
});
