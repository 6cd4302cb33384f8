/** Bugs of the service, planted around its ports: the model must find each of them. */
import { defaultPlans } from '../../../shared/catalog/plans.ts';
import type { CaseKind } from '../../../shared/domain/billing/cases/billing-case.ts';
import { casesPartition } from '../../../shared/domain/keys.ts';
import type {
  PaidInvoice,
  ReportedSubscription,
  SubscriptionGateway,
  SubscriptionReport,
} from '../../../shared/gateways/subscription-gateway.ts';
import type { Action, Item, Table } from '../../../shared/platform/dynamo-table.ts';
import { monthsLater } from '../../support/fake-subscription-gateway.ts';
import type { Mutant } from './subscription-world.ts';

type Update = NonNullable<Action['Update']>;

const isOf = (kind: string, key: { readonly pk?: unknown } | undefined): boolean =>
  String(key?.pk).startsWith(`${kind}#`);

const transacting =
  (change: (actions: readonly Action[]) => readonly Action[]) =>
  (table: Table): Table => ({ ...table, transact: (actions) => table.transact(change(actions)) });

/** Changes what is written of accounts; undefined leaves it out. */
const writingAccounts = (change: (update: Update) => Update | undefined) =>
  transacting((actions) =>
    actions.flatMap((action) => {
      if (!action.Update || !isOf('ACCOUNT', action.Update.Key)) return [action];
      const update = change(action.Update);
      return update ? [{ Update: update }] : [];
    }),
  );

const readingAccounts =
  (change: (item: Item) => Item) =>
  (table: Table): Table => ({
    ...table,
    async get(key) {
      const item = await table.get(key);
      return item && isOf('ACCOUNT', key) ? change(item) : item;
    },
  });

const replacing = (update: Update, condition: string, other: string): Update => ({
  ...update,
  ConditionExpression: (update.ConditionExpression ?? '').replace(condition, other),
});

/** Each process does not see the recorded invoices at first, and may record them again. */
const forgettingInvoices = (table: Table): Table => {
  let isBlind = true;
  const again = transacting((actions) =>
    actions.map((action) =>
      action.Put?.Item && isOf('SUBSCRIPTION', action.Put.Item) ? { Put: { Item: action.Put.Item } } : action,
    ),
  )(table);
  return {
    ...again,
    async *walk(input) {
      const isForgotten = isBlind && String(input.ExpressionAttributeValues?.[':pk']).startsWith('SUBSCRIPTION#');
      if (isForgotten) isBlind = false;
      else yield* table.walk(input);
    },
  };
};

/** What a month of the first plan costs. */
const cents = defaultPlans.plans[1]?.priceMonthlyCents ?? 0;

const reporting =
  (change: (subscription: ReportedSubscription, report: SubscriptionReport) => ReportedSubscription) =>
  (real: SubscriptionGateway): SubscriptionGateway => {
    const changed = (report: SubscriptionReport): SubscriptionReport =>
      report.subscription ? { ...report, subscription: change(report.subscription, report) } : report;
    return {
      ...real,
      async read(subject) {
        const report = await real.read(subject);
        return report && changed(report);
      },
      async *changedSince(at, until) {
        for await (const found of real.changedSince(at, until)) yield 'error' in found ? found : changed(found);
      },
    };
  };

const asIfPaid = ({ createdAt }: SubscriptionReport): PaidInvoice => ({
  invoiceId: 'unpaid',
  cents,
  currency: 'BRL',
  periodStart: createdAt,
  periodEnd: monthsLater(createdAt, 1),
  paidAt: createdAt,
  refundedCents: 0,
  isRefunded: false,
  isDisputed: false,
});

const withoutCases = (...kinds: readonly CaseKind[]) =>
  transacting((actions) => actions.filter(({ Put }) => !kinds.some((kind) => kind === Put?.Item?.kind)));

/** The attributes that an update sets. */
const valuesOf = ({ ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} }: Update) =>
  Object.fromEntries(Object.entries(names).map(([alias, name]) => [name, values[alias.replace('#', ':')]]));

const isDisputedAgain = ({ Update }: Action): boolean =>
  Update !== undefined && isOf('SUBSCRIPTION', Update.Key) && Number(valuesOf(Update).disputes) > 1;

const changingInvoices = (change: (invoice: PaidInvoice) => Partial<PaidInvoice>) =>
  reporting((subscription) => ({
    ...subscription,
    invoices: subscription.invoices.map((invoice) => ({ ...invoice, ...change(invoice) })),
  }));

/** Invoices are written after everything else. */
const recordingLate: Mutant = {
  table: (table) => ({
    ...table,
    async transact(actions) {
      const isInvoice = ({ Update }: Action) => isOf('SUBSCRIPTION', Update?.Key);
      await table.transact(actions.filter((action) => !isInvoice(action)));
      const invoices = actions.filter(isInvoice);
      if (invoices.length > 0) await table.transact(invoices);
    },
  }),
};

export const bugs = {
  'a period can be credited twice': { table: forgettingInvoices },
  'an unpaid checkout is credited': {
    gateway: reporting((subscription, report) =>
      subscription.status === 'unpaid'
        ? { ...subscription, status: 'active', invoices: [asIfPaid(report)] }
        : subscription,
    ),
  },
  'a wrong amount is accepted': {
    gateway: reporting((subscription) => ({
      ...subscription,
      invoices: subscription.invoices.map((invoice) => (invoice.cents === 1 ? { ...invoice, cents } : invoice)),
    })),
  },
  'features are kept after their end': {
    table: writingAccounts((update) =>
      update.UpdateExpression?.startsWith('SET features = :features REMOVE') ? undefined : update,
    ),
  },
  'features are kept after a lost dispute': {
    table: writingAccounts(({ UpdateExpression = '', ...update }) => {
      if (!UpdateExpression.includes('REMOVE activeSubscription, planId')) return { UpdateExpression, ...update };
      const { ':features': _none, ...ExpressionAttributeValues } = update.ExpressionAttributeValues ?? {};
      const kept = UpdateExpression.replace(', features = :features', '').replace(', planId, planSource', '');
      return { ...update, UpdateExpression: kept, ExpressionAttributeValues };
    }),
  },
  'a lost dispute counts as an open one': {
    gateway: changingInvoices(({ isRefunded, refundedCents, cents }) =>
      isRefunded && refundedCents === cents ? { isRefunded: false, refundedCents: 0, isDisputed: true } : {},
    ),
  },
  'a dispute opens no case': { table: withoutCases('disputed-payment') },
  'a dispute that reopens opens no case': {
    table: transacting((actions) =>
      actions.some(isDisputedAgain) ? actions.filter(({ Put }) => Put?.Item?.kind !== 'disputed-payment') : actions,
    ),
  },
  'a payment won back in a dispute is ignored': { table: withoutCases('payment-after-refund') },
  'cases stay open when their reason is gone': {
    table: transacting((actions) => actions.filter(({ Update }) => Update?.Key?.pk !== casesPartition)),
  },
  'time that was paid twice opens no case': { table: withoutCases('overlapping-periods') },
  'a payment without an order opens no case': { table: withoutCases('payment-without-order') },
  'the plan of another subscription is not restored': {
    table: (table) => ({
      ...table,
      async *walk(input) {
        if (!String(input.ExpressionAttributeValues?.[':pk']).startsWith('SUBSCRIPTIONS#')) yield* table.walk(input);
      },
    }),
  },
  'a second subscription can be activated': {
    table: (table) =>
      readingAccounts(({ activeSubscription: _active, ...item }) => item)(
        writingAccounts((update) =>
          replacing(update, 'attribute_not_exists(activeSubscription)', 'attribute_exists(pk)'),
        )(table),
      ),
  },
  'a month is recorded after its credits': recordingLate,
  'a month is credited a second time': recordingLate,
  'a refund takes more than there is': {
    table: (table) =>
      readingAccounts((item) => ({ ...item, balance: Number(item.balance) + 10_000 }))(
        writingAccounts((update) => replacing(update, 'balance >= :least', '(balance >= :least OR balance < :least)'))(
          table,
        ),
      ),
  },
} as const satisfies Record<string, Mutant>;
