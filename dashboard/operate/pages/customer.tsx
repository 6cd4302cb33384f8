/** An account with everything that belongs to it. */
import { Group, SimpleGrid } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { cancelsPerDay, chargedFailuresPerDay } from '../../../shared/contracts/limits.ts';
import { operateActContracts } from '../../../shared/contracts/operate-acts.ts';
import { operateCustomerContracts } from '../../../shared/contracts/operate-customers.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import type { Formats } from '../../language/format.ts';
import { useLanguage } from '../../language/language.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { ActButton } from '../acts/act-button.tsx';
import { ActsTable } from '../acts/acts-table.tsx';
import { attemptText } from '../attempt-text.ts';
import { RecordTable } from '../record-table.tsx';
import { taskColumns } from '../task-columns.tsx';
import { CustomerCases } from './customer-cases.tsx';
import { CustomerTokens } from './customer-tokens.tsx';

type Customer = Data<typeof operateCustomerContracts.getCustomer>;
interface PartProps {
  readonly customer: Customer;
}

/** What happens to a subscription at the end of the time that was paid for. */
function atPeriodEnd(subscription: Customer['subscription'], format: Formats): string {
  if (!subscription) return '–';
  const { currentPeriodEnd: end, isEnding, status } = subscription;
  if (end === null) return 'not paid yet';
  if (isEnding) return `ends on ${format.moment(end)}: it does not renew`;
  return status === 'past_due' ? `renewal unpaid since ${format.moment(end)}` : `renews on ${format.moment(end)}`;
}

/** What the limits of an account reject now, and until when. */
function limitFacts(account: Customer['account'], format: Formats): [string, string][] {
  const rejected = (until: string | null) => (until === null ? undefined : `rejected until ${format.moment(until)}`);
  const { canceledToday, cancelsRejectedUntil, fileTasksLimitedUntil } = account;
  const above = canceledToday < cancelsPerDay ? 'accepted' : 'accepted, because the account pays for enough tasks';
  const oneAtATime =
    fileTasksLimitedUntil === null ? 'accepted' : `one at a time until ${format.moment(fileTasksLimitedUntil)}`;
  return [
    ['Cancels', `${canceledToday} of ${cancelsPerDay} today: more are ${rejected(cancelsRejectedUntil) ?? above}`],
    ['Charged failures by its own fault', `${account.chargedFailuresToday} of ${chargedFailuresPerDay} today`],
    ['New tasks whose engines charge', rejected(account.chargedTasksRejectedUntil) ?? 'accepted'],
    ['New tasks priced by files', rejected(account.fileTasksRejectedUntil) ?? oneAtATime],
  ];
}

/** Whether an account is open, and what becomes of a closed one. */
function accountState({ closedAt, eraseAt, erasedAt }: Customer['account'], format: Formats): string {
  if (erasedAt !== null) return `erased at ${format.moment(erasedAt)}`;
  if (closedAt === null || eraseAt === null) return 'open';
  return `closed since ${format.moment(closedAt)}: its data will be erased after ${format.moment(eraseAt)}`;
}

function Account({ customer: { account, subscription } }: PartProps) {
  const { format } = useLanguage();
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Section title="Account">
        <Facts
          facts={[
            ['Id', account.accountId],
            ['E-mail', account.email],
            ['State', accountState(account, format)],
            ['Balance', format.number(account.balance)],
            ['Test credits', account.testCredits === null ? '–' : format.number(account.testCredits)],
            ['Plan', account.plan ?? '–'],
            ['Features', account.features.join(', ') || '–'],
            ['Created', format.moment(account.createdAt)],
          ]}
        />
      </Section>
      <Section
        title="Subscription and limits"
        action={
          subscription && (
            <ActButton
              act="cancelSubscription"
              label="Cancel the subscription"
              given={{ subscription: subscription.id }}
              initial={{ when: 'period-end' }}
            />
          )
        }
      >
        <Facts
          facts={[
            ['Subscription', subscription ? `${subscription.planName}, ${subscription.billingCycle}` : '–'],
            ['State', subscription?.status ?? '–'],
            ['At the end of the paid time', atPeriodEnd(subscription, format)],
            ['Open tasks', format.number(account.openTasks)],
            ...limitFacts(account, format),
            ['Limits last lifted because', account.limitsLiftedBecause ?? '–'],
          ]}
        />
      </Section>
    </SimpleGrid>
  );
}

const AccountActs = ({ customer: { account } }: PartProps) => {
  const given = { account: account.accountId };
  return (
    <Section title="Acts" hint="Each asks for a reason, and is in the list of acts below.">
      <Group gap="xs">
        <ActButton act="addNote" label="Add a note" given={given} />
        <ActButton act="seeAsCustomer" label="See as customer" given={given} />
        <ActButton act="grantCredits" label="Grant credits" given={given} />
        <ActButton act="liftLimits" label="Lift limits" given={given} />
        <ActButton act="setRetention" label="Set retention" given={given} />
        <ActButton act="endSessions" label="End all sessions" given={given} />
        <ActButton act="inviteOwner" label="Invite another owner" given={given} />
        <ActButton act="fillTestCredits" label="Fill test credits" given={given} />
      </Group>
    </Section>
  );
};

function ActsOfAccount({ customer: { account } }: PartProps) {
  const query = useApi(operateActContracts.listActs, { query: { account: account.accountId } });
  return <Loaded query={query}>{({ acts }) => <ActsTable title="Acts and notes" acts={acts} />}</Loaded>;
}

/** The ledger calls both a refunded task and a payment that was returned a refund. */
const ledgerReason = (reason: string, amount: number): string =>
  reason !== 'refund' ? reason : amount < 0 ? 'payment returned' : 'task refunded';

function Money({ customer: { history, orders } }: PartProps) {
  const { format } = useLanguage();
  return (
    <>
      <RecordTable
        title="Ledger"
        rows={history}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Time', cell: ({ createdAt }) => format.moment(createdAt) },
          { label: 'Reason', cell: ({ amount, reason }) => ledgerReason(reason, amount) },
          { label: 'About', cell: ({ description }) => description },
          { label: 'Credits', isNumber: true, cell: ({ amount }) => format.signed(amount) },
        ]}
      />
      <RecordTable
        title="Orders"
        rows={orders}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Order', cell: ({ packName }) => packName },
          { label: 'State', cell: ({ status }) => <Status status={status} label={status} /> },
          { label: 'Amount', isNumber: true, cell: ({ amount }) => format.money(amount) },
          { label: 'Gateway', cell: ({ gatewayReference, paymentMethod }) => `${paymentMethod} ${gatewayReference}` },
          { label: 'Created', cell: ({ createdAt }) => format.moment(createdAt) },
          {
            label: 'Acts',
            cell: ({ id, status, type }) => (
              <Group gap="xs">
                {status !== 'paid' && status !== 'refunded' && (
                  <ActButton act="settleOrder" label="Settle" given={{ order: id }} />
                )}
                {status === 'pending' && type === 'pix_credit_pack' && (
                  <ActButton act="cancelOrder" label="Cancel" given={{ order: id }} />
                )}
              </Group>
            ),
          },
        ]}
      />
    </>
  );
}

function Sessions({ customer: { sessions } }: PartProps) {
  const { format } = useLanguage();
  return (
    <RecordTable
      title="Sessions in the dashboard"
      rows={sessions}
      keyOf={({ sessionId }) => sessionId}
      columns={[
        { label: 'Provider', cell: ({ provider }) => provider },
        { label: 'Browser', cell: ({ userAgent }) => userAgent },
        { label: 'Begun', cell: ({ createdAt }) => format.moment(createdAt) },
        { label: 'Last seen', cell: ({ lastSeenAt }) => format.moment(lastSeenAt) },
      ]}
    />
  );
}

function Connected({ customer: { account, deliveries, pages } }: PartProps) {
  const { format } = useLanguage();
  return (
    <>
      <RecordTable
        title="Webhooks"
        rows={deliveries}
        keyOf={({ taskId }) => taskId}
        columns={[
          { label: 'Task', cell: ({ taskId, taskType }) => `${taskType} ${taskId}` },
          { label: 'State', cell: ({ status }) => <Status status={status} label={status} /> },
          {
            label: 'Last attempt',
            cell: ({ attempts }) => {
              const last = attempts.at(-1);
              return last ? attemptText(attempts.length, last) : '–';
            },
          },
          { label: 'Receiver', cell: ({ url }) => url },
          {
            label: 'Acts',
            cell: ({ taskId: task }) => <ActButton act="redeliverWebhook" label="Send again" given={{ task }} />,
          },
        ]}
      />
      <RecordTable
        title="Pages of social networks"
        rows={pages}
        keyOf={({ channel }) => channel}
        columns={[
          { label: 'Page', cell: ({ channel, name }) => `${channel}: ${name}` },
          { label: 'State', cell: ({ fault, state }) => <Status status={state} label={fault ?? state} /> },
          { label: 'Synchronized', cell: ({ syncedAt }) => (syncedAt ? format.moment(syncedAt) : 'never') },
          {
            label: 'Acts',
            cell: ({ channel }) => (
              <Group gap="xs">
                <ActButton act="syncConnection" label="Synchronize" given={{ account: account.accountId, channel }} />
                <ActButton act="removeConnection" label="Disconnect" given={{ account: account.accountId, channel }} />
              </Group>
            ),
          },
        ]}
      />
    </>
  );
}

export function CustomerPage() {
  const { format } = useLanguage();
  const { accountId } = useParams({ from: '/customers/$accountId' });
  const query = useApi(operateCustomerContracts.getCustomer, { params: { accountId } });
  const { email = 'Customer', name } = query.data?.account ?? {};
  return (
    <Page title={email} {...(name !== undefined && { lead: name })}>
      <Loaded query={query} rows={8} missing={<Empty icon="account" title="There is no such account." />}>
        {(customer) => (
          <>
            <Account customer={customer} />
            <AccountActs customer={customer} />
            <ActsOfAccount customer={customer} />
            <RecordTable
              title="Latest tasks"
              rows={customer.tasks}
              keyOf={({ id }) => id}
              columns={taskColumns(format)}
            />
            <CustomerCases customer={customer} />
            <Money customer={customer} />
            <CustomerTokens customer={customer} />
            <Sessions customer={customer} />
            <Connected customer={customer} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
