/** Events of payments over HTTP: each applies once, in any order, and only if the gateway signed it. */
import { GetQueueAttributesCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { processPaymentEvent } from '../../functions/background/process-payment-event.ts';
import { moveMessages } from '../../infra/cli/move-messages.ts';
import type { MercadoPagoFake } from '../../infra/local/sandboxes/mercado-pago/mercado-pago-fake.ts';
import { localIdentity } from '../../infra/local/service-environment.ts';
import { noPixGateway } from '../../shared/gateways/no-pix-gateway.ts';
import { noSubscriptionGateway } from '../../shared/gateways/no-subscription-gateway.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import { eventually } from '../support/eventually.ts';
import { RecordingLogger } from '../support/recording-logger.ts';
import { sendPaymentEvent } from '../support/signed-payment-event.ts';
import { type TestAccount, type TestService, testService } from '../support/test-service.ts';
import { creditOrderScene } from './credit-order-scene.ts';

let host: TestService;
let account: TestAccount;
let gateway: MercadoPagoFake;
let scene: ReturnType<typeof creditOrderScene>;

type Change = Parameters<MercadoPagoFake['do']>[1];

beforeAll(async () => {
  host = await testService();
  gateway = host.service.payments;
});
afterAll(() => host.close());
beforeEach(async () => {
  gateway.events = 'at once';
  account = await host.account({ credits: 10 });
  scene = creditOrderScene(host, account);
});

interface Order {
  readonly id: string;
  readonly status: string;
}

async function ordered(): Promise<Order> {
  const response = await host.call('createCreditOrder', { token: account.token, body: { packId: 'pack-100' } });
  expect(response.status, response.text).toBe(201);
  return response.body.data as Order;
}

const read = async (orderId: string) => (await scene.read(orderId)) as Order;

const chargeOf = ({ id }: Order) => scene.chargeOf(id);
const balance = () => scene.balance();
const cases = ({ id }: Order) => scene.openCases(id);
const happens = ({ id }: Order, ...changes: Change[]) => scene.change(id, ...changes);

test('an event that is repeated has no further effect, whatever has happened since', async () => {
  const order = await ordered();
  await happens(order, 'pay');
  gateway.events = 'lost';
  await happens(order, 'refund');
  await gateway.resend(chargeOf(order));
  expect([(await read(order.id)).status, await balance()]).toEqual(['paid', 110]);
  await host.service.invoke('reconcileOrders', {});
  expect([(await read(order.id)).status, await balance()]).toEqual(['refunded', 10]);
});

test('an event of another payment takes effect, even with an id that was used before', async () => {
  const [order, other] = [await ordered(), await ordered()];
  await happens(order, 'pay');
  gateway.events = 'lost';
  await happens(other, 'pay');
  await gateway.resend(chargeOf(other));
  expect([(await read(other.id)).status, await balance()]).toEqual(['paid', 210]);
});

test('the event of a payment that arrives after the event of its refund credits nothing', async () => {
  const order = await ordered();
  gateway.events = 'reordered';
  await happens(order, 'pay');
  gateway.events = 'at once';
  await happens(order, 'refund');
  expect([(await read(order.id)).status, await balance(), await cases(order)]).toEqual(['refunded', 10, []]);
  await host.audit();
});

test('forged events change nothing', async () => {
  const order = await ordered();
  gateway.events = 'lost';
  await happens(order, 'pay');
  const url = `${host.url}/inbound/payments/mercado-pago?data.id=${chargeOf(order)}&type=payment`;
  const ts = host.clock.now();
  for (const signature of ['', `ts=${ts},v1=${'0'.repeat(64)}`, `ts=${ts},v1=`]) {
    const headers = { 'x-signature': signature, 'x-request-id': 'forged', 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBeNull();
    expect(await response.text()).toContain('The signature is missing, wrong or too old.');
  }
  expect([(await read(order.id)).status, await balance()]).toEqual(['pending', 10]);
});

describe('an event that cannot be processed when it arrives', () => {
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

  /** Of a queue: how many messages wait, and how many are being processed. */
  async function messages(QueueUrl: string): Promise<string> {
    const wanted = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
    const { Attributes: counts } = await sqs.send(wanted);
    return `${counts?.ApproximateNumberOfMessages}, ${counts?.ApproximateNumberOfMessagesNotVisible}`;
  }

  const isPaid = async ({ id }: Order) => (await read(id)).status === 'paid' || undefined;
  const arrive = (order: Order, eventId: string) => sendPaymentEvent(host, { paymentId: chargeOf(order), eventId });

  async function paidUnnoticed(): Promise<Order> {
    const order = await ordered();
    gateway.events = 'lost';
    await happens(order, 'pay');
    return order;
  }

  test('is accepted, and takes effect once as soon as the gateway responds again', async () => {
    const order = await paidUnnoticed();
    gateway.fates.push(500, 'down');
    expect((await arrive(order, 'early')).status).toBe(200);
    await eventually('the payment is credited', () => isPaid(order));
    expect((await arrive(order, 'early')).status).toBe(200);
    expect(await balance()).toBe(110);
    await host.audit();
  });

  test('waits among the dead letters after its last try, and takes effect once it is redriven', async () => {
    const order = await paidUnnoticed();
    gateway.fates.push(...Array.from({ length: 1 + tries }, () => 500));
    expect((await arrive(order, 'poisoned')).status).toBe(200);
    const deadLetters = `${queueUrl}-dead-letters`;
    const isDead = async () => (await messages(deadLetters)) === '1, 0' || undefined;
    await eventually('the event becomes a dead letter', isDead);
    expect([(await read(order.id)).status, await balance()]).toEqual(['pending', 10]);
    expect(await moveMessages(deadLetters, queueUrl)).toBe(1);
    await eventually('the payment is credited', () => isPaid(order));
    expect(await balance()).toBe(110);
  });

  test('is left to its sender if the queue does not take it either', async () => {
    const order = await paidUnnoticed();
    gateway.fates.push(500);
    const nowhere = { AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9', PAYMENT_QUEUE_URL: 'http://127.0.0.1:9/0/events' };
    const response = await host.withEnvironment(nowhere, () => arrive(order, 'unheard'));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
    expect([(await read(order.id)).status, await balance()]).toEqual(['pending', 10]);
  });

  test.for(['mercado-pago', 'stripe'] as const)(
    'is logged if the gateway does not have its subject: %s',
    async (from) => {
      const logger = new RecordingLogger();
      const gateways = { pixGateway: noPixGateway, subscriptionGateway: noSubscriptionGateway };
      const event = { gateway: from, eventId: 'unknown', subject: '7' };
      await processPaymentEvent(event, { ...host.service.context, ...gateways, logger });
      expect(logger.warnings).toEqual([{ message: 'payment event ignored', ...event, outcome: 'unknown' }]);
    },
  );

  test('is ignored if the gateway does not have its payment', async () => {
    const response = await sendPaymentEvent(host, { paymentId: 7, eventId: 'unknown' });
    expect(response.status).toBe(200);
    await eventually('the queue is empty', async () => (await messages(queueUrl)) === '0, 0' || undefined);
    expect(await messages(`${queueUrl}-dead-letters`)).toBe('0, 0');
  });
});

test('a service without a payment gateway has no address for its events', async () => {
  await host.withEnvironment({ [settingVariables.pixGateway]: 'none' }, async () => {
    expect((await sendPaymentEvent(host, { paymentId: 7, eventId: 'any' })).status).toBe(404);
  });
});
