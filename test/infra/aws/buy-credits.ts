/** Credit orders in every state, so that the AWS calls for creating, paying and refunding them are recorded. */
import { expect } from 'vitest';
import type { Action } from '../../../fakes/mercado-pago/fake-payments.ts';
import { recordEvent } from '../../../shared/domain/billing/orders/order-store.ts';
import { referenceOf } from '../../../shared/gateways/order-reference.ts';
import { sendPaymentEvent } from '../../support/signed-payment-event.ts';
import type { TestResponse, TestService } from '../../support/test-service.ts';

type Operation = 'createCreditOrder' | 'listOrders' | 'getOrder';
type Call = (operationId: Operation, options?: object) => Promise<TestResponse>;
type SwitchOperation = (operationId: Operation, on: boolean) => Promise<void>;

const chargeOf = (host: TestService, orderId: string): number =>
  host.service.payments.payments().find((one) => one.external_reference === referenceOf(orderId, 'local'))?.id ?? 0;

const gatewayDoes = async (host: TestService, orderId: string, ...actions: readonly Action[]): Promise<void> => {
  for (const action of actions) {
    host.service.payments.do(chargeOf(host, orderId), action);
    await host.service.payments.sent();
  }
};

/** An event that has already been processed is looked up. */
async function repeatEvent(host: TestService, orderId: string): Promise<void> {
  const { clock, table } = host.service.context;
  const [paymentId, eventId] = [chargeOf(host, orderId), 'repeated'];
  await table.transact([recordEvent({ gateway: 'mercado-pago', eventId, paymentId: `${paymentId}` }, clock.now())]);
  expect((await sendPaymentEvent(host, { paymentId, eventId })).status).toBe(200);
}

/** An event that cannot be processed on arrival is enqueued, and the queue invokes its consumer. */
async function queueEvents(host: TestService, orderId: string): Promise<void> {
  const { clock, table } = host.service.context;
  const paymentId = chargeOf(host, orderId);
  host.service.payments.outcomes.push(500);
  expect((await sendPaymentEvent(host, { paymentId, eventId: 'queued' })).status).toBe(200);
  const event = { gateway: 'mercado-pago', subject: String(paymentId) } as const;
  const consume = (eventId: string) =>
    host.service.invoke('processPaymentEvent', {
      Records: [{ messageId: eventId, body: JSON.stringify({ ...event, eventId }) }],
    });
  await gatewayDoes(host, orderId, 'pay');
  await table.transact([recordEvent({ ...event, eventId: 'known', paymentId: event.subject }, clock.now())]);
  await consume('known');
  await consume('new');
  await gatewayDoes(host, orderId, 'refund-part');
  await consume('of a part');
  await gatewayDoes(host, orderId, 'refund');
  await consume('of the rest');
}

/** Orders are paid twice and refunded, and the service learns of it by events or by reconciliation. */
export async function buyCredits(host: TestService, call: Call, switchOperation: SwitchOperation): Promise<void> {
  const buy = async (key: string) => {
    const response = await call('createCreditOrder', {
      body: { packId: 'pack-100' },
      headers: { 'idempotency-key': key },
    });
    expect(response.status, response.text).toBe(201);
    return (response.body.data as { id: string }).id;
  };
  const [first, second, third] = [await buy('first'), await buy('second'), await buy('third')];
  await switchOperation('createCreditOrder', false);
  expect(await buy('first')).toBe(first);
  await switchOperation('createCreditOrder', true);
  await call('listOrders');
  await call('listOrders', { query: 'status=pending' });
  await call('getOrder', { params: { orderId: first } });
  host.service.payments.events = 'lost';
  await gatewayDoes(host, first, 'pay');
  await repeatEvent(host, first);
  await queueEvents(host, third);
  host.service.payments.events = 'at once';
  await gatewayDoes(host, second, 'pay', 'pay', 'refund-part', 'refund');
  for (const action of ['pay', 'refund-part', 'refund'] as const) {
    host.service.payments.events = 'lost';
    await host.service.invoke('reconcileOrders', {});
    await gatewayDoes(host, first, action);
  }
  await host.service.invoke('reconcileOrders', {});
}
