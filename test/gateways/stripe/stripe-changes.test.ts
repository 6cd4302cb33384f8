/** How the adapter finds changes at Stripe, even behind long lists and objects that it cannot read. */
import { describe, expect, test } from 'vitest';
import { paidSubscription, servedInTests, serveOnly } from './served-objects.ts';
import { gatewayWith } from './stripe-access.ts';

const server = await servedInTests();

const gateway = () => gatewayWith({ url: server.url });

/** The time limit allows only this many requests. */
function endingAfter(requests: number) {
  let left = requests;
  return () => {
    left -= 1;
    return left < 0;
  };
}

describe('the search for changes at Stripe since a given time', () => {
  const event = (index: number, type: string, object: object) => ({
    id: `evt_${index}`,
    type,
    livemode: false,
    data: { object },
  });

  test('finds each subscription once, even over many pages of checkouts and events', async () => {
    const [own, other] = [paidSubscription('1'), paidSubscription('2', 'another')];
    const open = Array.from({ length: 120 }, (_, index) => ({
      ...paidSubscription(`open${index}`).session,
      status: 'open',
      subscription: null,
    }));
    serveOnly(server, own);
    const sessions = server.lists.get('/v1/checkout/sessions') ?? [];
    server.lists.set('/v1/subscriptions', [own.subscription, other.subscription]);
    server.lists.set('/v1/events', [
      ...Array.from({ length: 150 }, (_, index) => event(index, 'customer.subscription.updated', other.subscription)),
      event(151, 'customer.subscription.updated', own.subscription),
      event(152, 'invoice.paid', own.invoice),
      event(153, 'charge.refunded', own.charge),
      event(154, 'checkout.session.completed', own.session),
    ]);
    const found = async () =>
      (await Array.fromAsync(gateway().changedSince(1_800_000_000_999))).map((one) => one.subject);
    // Only events lead to this checkout, because it was created earlier.
    expect(await found()).toEqual(['cs_1']);
    expect(server.requests.find(({ path }) => path === '/v1/events')?.parameters).toMatchObject({
      'created[gte]': '1800000000',
      'types[0]': 'checkout.session.completed',
    });
    server.lists.set('/v1/checkout/sessions', [...open, other.session, ...sessions]);
    expect(await found()).toEqual([...open.map(({ id }) => id), 'cs_1']);
  });

  test('skips an unreadable change and finds the changes after it, and ends with an error while Stripe does not respond', async () => {
    const [first, second] = [paidSubscription('1'), paidSubscription('2')];
    const strange = { ...paidSubscription('3').session, status: 'of the future' };
    server.lists.set('/v1/checkout/sessions', [strange, first.session, second.session]);
    server.lists.set('/v1/subscriptions', [first.subscription, second.subscription]);
    server.lists.set('/v1/events', [
      event(1, 'charge.refunded', first.charge),
      event(2, 'charge.refunded', { id: 'ch_0' }),
    ]);
    server.lists.set('/v1/charges', [first.charge, second.charge]);
    server.failing.set('/v1/subscriptions/sub_1', 500);
    server.failing.set('/v1/charges/ch_1', 503);
    const found = await Array.fromAsync(gateway().changedSince(0));
    expect(found).toEqual([
      { subject: 'cs_3', error: expect.any(Error) },
      { subject: 'cs_1', error: expect.any(Error) },
      expect.objectContaining({ subject: 'cs_2', orderId: second.orderId }),
      { subject: 'ch_1', error: expect.any(Error) },
    ]);
    await expect(Array.fromAsync(gatewayWith({}).changedSince(0))).rejects.toThrow();
    server.failing.set('/v1/events', 500);
    await expect(Array.fromAsync(gateway().changedSince(0))).rejects.toThrow('500');
  });

  test('reports an event or a checkout in an unknown format, and finds the changes around it', async () => {
    const own = paidSubscription('1');
    serveOnly(server, own);
    const nameless = ['', 'cs_\ud800', 'c'.repeat(300)].map((id) => ({ ...own.session, id }));
    server.lists.set('/v1/checkout/sessions', [own.session, ...nameless]);
    server.lists.set('/v1/events', [
      { ...event(1, 'charge.refunded', own.charge), livemode: 'of the future' },
      { ...event(2, 'charge.refunded', own.charge), id: 'of the future' },
      event(3, 'checkout.session.completed', { ...own.session, client_reference_id: 7 }),
      event(5, 'charge.refunded', { ...own.charge, id: 'ch_\ud800' }),
      event(4, 'customer.subscription.updated', own.subscription),
    ]);
    const found = await Array.fromAsync(gateway().changedSince(0));
    const unreadable = (subject: string) => ({ subject, error: expect.any(Error) });
    expect(found).toEqual([
      expect.objectContaining({ subject: 'cs_1' }),
      ...nameless.map(() => unreadable('cs_unknown')),
      unreadable('evt_1'),
      unreadable('evt_unknown'),
      unreadable('evt_3'),
      unreadable('evt_5'),
    ]);
    // Such an event has nothing that could be read again.
    expect(await gateway().read('evt_1')).toBeUndefined();
  });

  test('ends at the given end time or when the time budget is used up, even among changes of other systems', async () => {
    const [own, foreign] = [paidSubscription('1'), paidSubscription('2', 'another')];
    serveOnly(server, own);
    const before = server.requests.length;
    await Array.fromAsync(gateway().changedSince(1_800_000_000_000, 1_800_000_060_001));
    for (const path of ['/v1/checkout/sessions', '/v1/events']) {
      const { parameters } = server.requests.slice(before).find((one) => one.path === path) ?? {};
      expect(parameters).toMatchObject({ 'created[gte]': '1800000000', 'created[lt]': '1800000061' });
    }
    server.lists.set(
      '/v1/checkout/sessions',
      Array.from({ length: 350 }, (_, index) => ({ ...foreign.session, id: `cs_other${index}` })),
    );
    const read = server.requests.length;
    expect(await Array.fromAsync(gateway().changedSince(0, undefined, endingAfter(2)))).toEqual([]);
    expect(server.requests.slice(read)).toHaveLength(2);
  });

  test('stops when the time budget is used up, even within a single subscription', async () => {
    const own = paidSubscription('1');
    serveOnly(server, own);
    const others = Array.from({ length: 350 }, (_, index) => ({ ...own.charge, id: `ch_other${index}` }));
    server.lists.set('/v1/charges', [...others, own.charge]);
    server.lists.set('/v1/checkout/sessions', [own.session]);
    for (const requests of [2, 3, 4, 5]) {
      const before = server.requests.length;
      expect(await Array.fromAsync(gateway().changedSince(0, undefined, endingAfter(requests)))).toEqual([]);
      expect(server.requests.slice(before)).toHaveLength(requests);
    }
  });

  test('omits a checkout that is not for a subscription, whatever it refers to', async () => {
    const own = paidSubscription('1');
    server.lists.set('/v1/checkout/sessions', [{ ...own.session, mode: 'payment', subscription: null }]);
    expect(await Array.fromAsync(gateway().changedSince(0))).toEqual([]);
    expect((await gateway().read(own.session.id))?.orderId).toBeUndefined();
  });
});
