/** Credit packs, bought on the pages of the sandbox: credits follow the payments, and nothing else. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { BillingCase as StoredCase } from '../../shared/domain/billing/cases/billing-case.ts';
import { eventually } from '../support/eventually.ts';
import { openPixPage, type PixPage } from '../support/pix-page.ts';
import { type BackEnd, newBackEnd } from './back-end.ts';
import { isCapable, operate, target } from './target.ts';

type Order = Awaited<ReturnType<BackEnd['api']['getOrder']>>['data'];

type BillingCase = Pick<StoredCase, 'caseId' | 'kind' | 'orderId'>;

interface Purchase {
  readonly order: Order;
  readonly page: PixPage;
}

/** The page that a payer reaches by entering the code of the order. */
const pageOf = ({ pix }: Order): Promise<PixPage> => openPixPage(target.pixSandbox ?? '', pix?.qrCode ?? '');

const payer = { name: 'Ana Souza Lima', taxId: '529.982.247-25', email: 'ana.souza@example.com' };

describe.runIf(isCapable('payment-sandbox'))('an order of a credit pack', () => {
  let ana: BackEnd;

  beforeAll(async () => {
    ana = await newBackEnd(10);
  });

  async function ordered(): Promise<Purchase> {
    const { data: order } = await ana.api.createCreditOrder({ body: { packId: 'pack-100', payer } });
    expect(order).toMatchObject({ status: 'pending', amount: 14.9, currency: 'BRL', credits: 100, paidAt: null });
    return { order, page: await pageOf(order) };
  }

  const read = async ({ order }: Purchase): Promise<Order> =>
    (await ana.api.getOrder({ params: { orderId: order.id } })).data;

  const becomes = ({ order }: Purchase, status: Order['status']) =>
    eventually(
      `the status ${status}`,
      async () => {
        const { data } = await ana.api.getOrder({ params: { orderId: order.id } });
        return data.status === status ? data : undefined;
      },
      { everyMs: 1000 },
    );

  /** The open cases about an order, once there are any. */
  const casesOf = ({ order }: Purchase): Promise<readonly BillingCase[]> =>
    eventually(
      'the case',
      async () => {
        const { cases } = await operate<{ cases: BillingCase[] }>('case', 'list');
        const own = cases.filter(({ orderId }) => orderId === order.id);
        return own.length > 0 ? own : undefined;
      },
      { everyMs: 1000 },
    );

  test('is credited when it is paid, and does not show the payer', async () => {
    const before = await ana.balance();
    const bought = await ordered();
    expect(await bought.page.html()).toContain('R$ 14,90');
    await bought.page.press('pay', 'twice');
    const paid = await becomes(bought, 'paid');
    expect(paid).toMatchObject({ credits: 100, paidAt: expect.any(String), planName: null, packName: '100 credits' });
    expect((await ana.ledger())[0]).toEqual([100, 'purchase']);
    expect(await ana.balance()).toBe(before + 100);
    const { orders } = (await ana.api.listOrders({ query: { status: 'paid' } })).data;
    expect(orders.map(({ id }) => id)).toContain(paid.id);
    const shown = JSON.stringify([paid, orders]);
    for (const secret of ['529982', '529.982', 'Ana Souza', payer.email]) expect(shown).not.toContain(secret);
  });

  test('is credited only once if it is paid twice, and the second payment opens a case for an operator', async () => {
    const before = await ana.balance();
    const bought = await ordered();
    await bought.page.press('pay');
    await becomes(bought, 'paid');
    await bought.page.press('pay');
    const [found, ...others] = await casesOf(bought);
    expect([found?.kind, others]).toEqual(['second-payment', []]);
    expect(await ana.balance()).toBe(before + 100);
    expect((await read(bought)).status).toBe('paid');
    const resolution = 'refunded at the gateway';
    await operate('case', 'resolve', '--case', found?.caseId ?? '', '--reason', resolution);
    expect(await operate('case', 'show', '--case', found?.caseId ?? '')).toMatchObject({ resolution });
  });
});
