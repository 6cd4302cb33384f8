/** An account with everything that belongs to it. */
import { Group, SimpleGrid } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { operateActContracts } from '../../../shared/contracts/operate-acts.ts';
import { operateCustomerContracts } from '../../../shared/contracts/operate-customers.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { ActButton } from '../acts/act-button.tsx';
import { ActsTable } from '../acts/acts-table.tsx';
import { RecordTable } from '../record-table.tsx';
import { taskColumns } from '../task-columns.tsx';

type Customer = Data<typeof operateCustomerContracts.getCustomer>;
interface PartProps {
  readonly customer: Customer;
}

function Account({ customer: { account, subscription } }: PartProps) {
  const { format } = useLanguage();
  const orNone = (time: string | null | undefined) => (time ? format.moment(time) : '–');
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Section title="Account">
        <Facts
          facts={[
            ['Id', account.accountId],
            ['E-mail', account.email],
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
            ['Paid until', orNone(subscription?.currentPeriodEnd)],
            ['Open tasks', format.number(account.openTasks)],
            ['Canceled today', format.number(account.canceledToday)],
            ['Failed by its own fault at a charge today', format.number(account.chargedFailuresToday)],
            ['Charged tasks rejected until', orNone(account.barredUntil)],
            ['Files rejected until', orNone(account.rejectedUntil)],
            ['Files one at a time until', orNone(account.observedUntil)],
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
          { label: 'Reason', cell: ({ reason }) => reason },
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
                {status !== 'paid' && <ActButton act="settleOrder" label="Settle" given={{ order: id }} />}
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

function Access({ customer: { account, sessions, tokens } }: PartProps) {
  const { format } = useLanguage();
  return (
    <>
      <RecordTable
        title="Tokens"
        rows={tokens}
        keyOf={({ tokenId }) => tokenId}
        columns={[
          { label: 'Token', cell: ({ name }) => name },
          { label: 'State', cell: ({ status }) => <Status status={status} label={status} /> },
          { label: 'Mode', cell: ({ mode }) => mode },
          { label: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
          { label: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? format.moment(lastUsedAt) : 'never') },
          { label: 'Id', cell: ({ tokenId }) => tokenId },
          {
            label: 'Acts',
            cell: ({ status, tokenId: token }) =>
              status === 'active' && (
                <Group gap="xs">
                  <ActButton act="setTokenCap" label="Set cap" given={{ account: account.accountId, token }} />
                  <ActButton act="revokeToken" label="Revoke" given={{ account: account.accountId, token }} />
                </Group>
              ),
          },
        ]}
      />
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
    </>
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
            cell: ({ attempts }) => attempts.at(-1)?.error ?? attempts.at(-1)?.statusCode ?? '–',
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
            <Money customer={customer} />
            <Access customer={customer} />
            <Connected customer={customer} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
