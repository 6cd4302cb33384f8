/** The whole service: what needs attention, and the figures of the last days. */
import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { operateOverviewContracts } from '../../../shared/contracts/operate-overview.ts';
import { operateQueueContracts } from '../../../shared/contracts/operate-queues.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Figure } from '../../pages/overview/figure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { DayChart, today } from '../day-chart.tsx';
import { dollars } from '../money.ts';
import { RecordTable } from '../record-table.tsx';

function Attention({ attention }: { readonly attention: Data<typeof operateOverviewContracts.getAttention> }) {
  const { format } = useLanguage();
  const { circuits, openCases, openTasks, switchedOff } = attention;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <Figure
          name="Open tasks, at least"
          value={format.number(openTasks.atLeast)}
          note={
            openTasks.oldestAt === null
              ? 'none is waiting'
              : `the oldest of them since ${format.moment(openTasks.oldestAt)}`
          }
        />
        <Figure name="Past their deadline" value={format.number(openTasks.overdue)} note="of these open tasks" />
        <Figure name="Open cases" value={format.number(openCases)} note="payments that need a decision" />
      </SimpleGrid>
      <Section title="Engines and switches">
        <Stack gap="xs">
          {circuits.length + switchedOff.length === 0 && <Text size="sm">Every route and operation is available.</Text>}
          {circuits.map(({ accounts, openUntil, route }) => (
            <Text size="sm" key={route}>
              {openUntil === null
                ? `${route} is paused for ${accounts} accounts.`
                : `${route} is paused for all accounts until ${format.exact(openUntil)}.`}
            </Text>
          ))}
          {switchedOff.map((operation) => (
            <Text size="sm" key={operation}>{`${operation} is switched off.`}</Text>
          ))}
        </Stack>
      </Section>
    </>
  );
}

function Today({ by, title }: { readonly by: 'operation' | 'engine' | 'account'; readonly title: string }) {
  const { format } = useLanguage();
  // The chart reads the day by operation with the same request, so it is sent once.
  const query = useApi(operateOverviewContracts.getFigures, { query: { day: today(), by } }, { staleTime: 60_000 });
  return (
    <Loaded query={query}>
      {({ rows }) => (
        <RecordTable
          title={title}
          rows={rows.toSorted((one, other) => other.tasks - one.tasks).slice(0, 20)}
          keyOf={({ name }) => name}
          columns={[
            {
              label: by,
              cell: ({ name }) =>
                by === 'account' ? (
                  <Anchor component="span">
                    <Link to="/customers/$accountId" params={{ accountId: name }}>
                      {name}
                    </Link>
                  </Anchor>
                ) : (
                  name
                ),
            },
            { label: 'Tasks', isNumber: true, cell: ({ tasks }) => format.number(tasks) },
            {
              label: 'Failed',
              cell: ({ failed, failures }) =>
                failed === 0
                  ? '–'
                  : Object.entries(failures)
                      .map(([code, count]) => `${code} ${count}`)
                      .join(', '),
            },
            { label: 'Credits', isNumber: true, cell: ({ credits }) => format.number(credits) },
            { label: 'Worth', isNumber: true, cell: ({ worthMicros }) => dollars(worthMicros) },
            { label: 'Engine cost', isNumber: true, cell: ({ costMicros }) => dollars(costMicros) },
            { label: 'Margin', isNumber: true, cell: ({ marginMicros }) => dollars(marginMicros) },
          ]}
        />
      )}
    </Loaded>
  );
}

/** Whether messages wait or have failed, on any queue. */
function Backlog() {
  const { format } = useLanguage();
  const query = useApi(operateQueueContracts.listQueues, {}, { refetchInterval: 30_000 });
  return (
    <Loaded query={query} rows={1}>
      {({ queues }) => (
        <Section title="Queues">
          <Stack gap="xs">
            {queues.map(({ deadLetters, inFlight, queue, waiting }) => (
              <Text size="sm" key={queue}>
                {queue}: {format.number(waiting)} waiting, {format.number(inFlight)} in flight,{' '}
                <Link to="/queues">{format.number(deadLetters)} dead letters</Link>
              </Text>
            ))}
          </Stack>
        </Section>
      )}
    </Loaded>
  );
}

const sum = (cents: Readonly<Record<string, number>>): number =>
  Object.values(cents).reduce((total, one) => total + one, 0);

/** What was paid and returned today, and the credits that were sold and not used yet. */
function Money() {
  const { format } = useLanguage();
  // The table by operation reads the day with the same request, so it is sent once.
  const query = useApi(
    operateOverviewContracts.getFigures,
    { query: { day: today(), by: 'operation' } },
    { staleTime: 60_000 },
  );
  const each = (cents: Readonly<Record<string, number>>): string =>
    Object.entries(cents)
      .map(([name, one]) => `${name} ${format.money(one / 100)}`)
      .join(', ') || 'nothing yet';
  return (
    <Loaded query={query} rows={1}>
      {({ totals: { returnedCents, revenueCents, unused, unusedChange } }) => (
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <Figure name="Paid today" value={format.money(sum(revenueCents) / 100)} note={each(revenueCents)} />
          <Figure name="Returned today" value={format.money(sum(returnedCents) / 100)} note={each(returnedCents)} />
          <Figure
            name="Unused credits"
            value={unused === null ? '–' : format.number(unused)}
            note={
              unused === null
                ? 'known after the first audit of a day'
                : `${unusedChange < 0 ? '' : '+'}${format.number(unusedChange)} today`
            }
          />
        </SimpleGrid>
      )}
    </Loaded>
  );
}

export function Overview() {
  const attention = useApi(operateOverviewContracts.getAttention, {}, { refetchInterval: 30_000 });
  return (
    <Page title="Overview">
      <Loaded query={attention}>{(found) => <Attention attention={found} />}</Loaded>
      <Backlog />
      <Money />
      <DayChart />
      <Today by="operation" title="Today by operation" />
      <Today by="engine" title="Today by engine" />
      <Today by="account" title="Today by account" />
    </Page>
  );
}
