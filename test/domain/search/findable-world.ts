/**
 * Accounts with rows of every findable kind, stored by the service's own writes, and the texts by which each of them
 * must be found.
 */
import { insertCase } from '../../../shared/domain/billing/cases/case-store.ts';
import type { Order, PackOrder } from '../../../shared/domain/billing/orders/order.ts';
import { insertOrder, moveOrder } from '../../../shared/domain/billing/orders/order-store.ts';
import type { Subscription } from '../../../shared/domain/billing/subscriptions/subscription.ts';
import {
  insertInvoice,
  insertSubscription,
  saveSubscription,
} from '../../../shared/domain/billing/subscriptions/subscription-store.ts';
import type { Connection } from '../../../shared/domain/piloto/pages/connection.ts';
import {
  claimPage,
  connectionStore,
  releasePage,
  removeConnection,
} from '../../../shared/domain/piloto/pages/connection-store.ts';
import { type Found, findAnything } from '../../../shared/domain/search/find-anything.ts';
import { stores } from '../../../shared/domain/stores.ts';
import { remainsOf } from '../../../shared/domain/tasks/deleted-task.ts';
import { insertTask } from '../../../shared/domain/tasks/task-item.ts';
import { issueToken } from '../../../shared/domain/tokens/issue-token.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { anAccount, aTask, testIds, testTime } from '../../support/test-table.ts';

/** A text by which a row must be found, and whether nothing else may be found by it. */
export interface Handle {
  readonly text: string;
  readonly isUnique: boolean;
}

export interface Expected extends Pick<Found, 'kind' | 'id'> {
  readonly accountId: string;
  handles: readonly Handle[];
  /** Texts by which the row was found earlier, but must not be found any more. */
  readonly former: Handle[];
}

const unique = (text: string): Handle => ({ text, isUnique: true });
const shared = (text: string): Handle => ({ text, isUnique: false });

const clock = { now: () => testTime };
const webhookSecrets = { webhookTokenOf: async () => 'a webhook token' };

/** A new text that does not look like an id of the service, such as a gateway's id or a client's reference. */
export const newText = (prefix: string): string => `${prefix}${testIds.secret(12)}`;

export function findableWorld(table: Table) {
  const all = stores(table, clock);
  const expected: Expected[] = [];
  const expect = (thing: Omit<Expected, 'former'>): Expected => {
    const made = { ...thing, former: [] };
    expected.push(made);
    return made;
  };
  const erase = (thing: Expected) => {
    thing.former.push(...thing.handles);
    thing.handles = [];
  };

  async function account(name: string): Promise<string> {
    const email = `${newText('')}@example.com`;
    const made = anAccount({ name, email });
    await all.accounts.insert(made, undefined);
    const { accountId } = made;
    const handles = [unique(accountId), unique(email.toUpperCase()), shared(name)];
    expect({ kind: 'account', id: accountId, accountId, handles });
    return accountId;
  }

  async function token(accountId: string): Promise<void> {
    const needs = { ...all, ids: testIds, webhookSecrets };
    const { token: text, tokenId } = await issueToken(needs, { accountId, name: 'server', scopes: ['read:tasks'] });
    const endings = [8, 6, 4].map((count) => shared(text.slice(-count)));
    expect({ kind: 'token', id: tokenId, accountId, handles: [unique(tokenId), unique(text), ...endings] });
  }

  async function task(accountId: string, isDeleted: boolean): Promise<void> {
    const [clientReference, requestId] = [newText('Pedido/'), crypto.randomUUID()];
    const made = aTask({ accountId, clientReference, status: 'completed', endedAt: testTime });
    const { taskId, resultsSecret } = made;
    await table.transact([insertTask(made, testTime, requestId)]);
    const url = `https://results.example.com/results/${taskId}-${resultsSecret}/0.mp3`;
    const handles = [taskId, clientReference, requestId, url].map(unique);
    const thing = expect({ kind: 'task', id: taskId, accountId, handles });
    if (!isDeleted) return;
    await all.deletedTasks.replace(made, remainsOf(made, testTime));
    erase(thing);
  }

  async function order(accountId: string, isPaidByAnother: boolean): Promise<void> {
    const [orderId, chargeId, other] = [testIds.next(), newText('pay_'), newText('pay_')];
    const pack = { packId: 'small', packName: 'Small', qrCode: '', qrCodeBase64: '' };
    const made: PackOrder = { ...anyOrder(orderId, accountId), type: 'pix_credit_pack', ...pack, chargeId };
    await table.transact([insertOrder(made)]);
    if (isPaidByAnother) await table.transact([moveOrder(made, { status: 'paid', paidBy: other, paidAt: testTime })]);
    const handles = [orderId, chargeId, ...(isPaidByAnother ? [other] : [])].map(unique);
    expect({ kind: 'order', id: orderId, accountId, handles });
  }

  async function subscription(accountId: string): Promise<void> {
    const [orderId, checkoutId, gatewayId, invoiceId] = [
      testIds.next(),
      newText('cs_'),
      newText('sub_'),
      newText('in_'),
    ];
    const plan = { planId: 'pro', planName: 'Pro', billingCycle: 'monthly' } as const;
    const bought: Order = {
      ...anyOrder(orderId, accountId),
      ...plan,
      type: 'subscription',
      checkoutId,
      checkoutUrl: '',
    };
    const { credits: creditsPerMonth, cents, gateway, payableUntil, createdAt } = bought;
    const made: Subscription = {
      subscriptionId: orderId,
      accountId,
      version: 0,
      status: 'pending',
      ...plan,
      creditsPerMonth,
      features: [],
      cents,
      gateway,
      checkoutId,
      payableUntil,
      createdAt,
    };
    await table.transact([insertOrder(bought), insertSubscription(made)]);
    const period = { cents, periodStart: 0, periodEnd: 1, paidAt: 0, granted: 1, refundedCents: 0 };
    const saved = saveSubscription({ ...made, status: 'active', gatewayId });
    await table.transact([saved, insertInvoice(orderId, { invoiceId, ...period })]);
    expect({ kind: 'order', id: orderId, accountId, handles: [orderId, checkoutId, invoiceId].map(unique) });
    expect({ kind: 'subscription', id: orderId, accountId, handles: [unique(gatewayId)] });
  }

  async function billingCase(accountId: string): Promise<void> {
    const [orderId, paymentId] = [testIds.next(), newText('pay_')];
    const caseId = `${orderId}.${testIds.secret(8)}`;
    const found = { kind: 'second-payment', orderId, accountId, gateway: 'sandbox', paymentId } as const;
    await table.transact([insertCase({ caseId, ...found, cents: 100, currency: 'BRL', createdAt: testTime })]);
    expect({ kind: 'case', id: caseId, accountId, handles: [caseId, paymentId].map(unique) });
  }

  async function page(accountId: string, name: string, outcome: 'kept' | 'renamed' | 'removed'): Promise<void> {
    const connections = connectionStore(table);
    if (await connections.find({ accountId, channel: 'instagram' })) return;
    const [pageId, username] = [String(Number.parseInt(testIds.secret(6), 16) + 10 ** 15), newText('loja_')];
    const made: Connection = {
      accountId,
      channel: 'instagram',
      network: 'sandbox',
      pageId,
      name,
      username,
      state: 'connected',
      connectedAt: testTime,
      version: 0,
      dueAt: testTime,
    };
    const saved = (await connections.save(made, claimPage(made))) ?? made;
    const handles = [unique(pageId), unique(`@${username}`), shared(name)];
    const thing = expect({ kind: 'connection', id: 'instagram', accountId, handles });
    if (outcome === 'kept') return;
    erase(thing);
    if (outcome === 'removed') await table.transact([removeConnection(saved), ...releasePage(saved)]);
    else {
      const after = { ...saved, name: newText('Outra '), username: newText('outra_') };
      await connections.save(after);
      thing.handles = [unique(pageId), unique(after.username), shared(after.name)];
      thing.former.shift();
    }
  }

  return {
    expected,
    account,
    token,
    task,
    order,
    subscription,
    billingCase,
    page,
    find: async (text: string) => (await findAnything({ table, clock }, text)).found,
  };
}

const anyOrder = (orderId: string, accountId: string) => ({
  orderId,
  accountId,
  status: 'pending' as const,
  cents: 1000,
  credits: 100,
  gateway: 'sandbox',
  payableUntil: testTime,
  createdAt: testTime,
});
