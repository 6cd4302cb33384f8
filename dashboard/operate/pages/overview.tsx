/** The whole service: what needs attention, and the figures of the last days. */
import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { operateOverviewContracts } from '../../../shared/contracts/operate-overview.ts';
import { operateQueueContracts } from '../../../shared/contracts/operate-queues.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Figure } from '../../pages/overview/figure.tsx';
import { TextLink } from '../../parts/link-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { paymentText, totalOf } from '../charts/figure-days.ts';
import { OverviewCharts } from '../charts/overview-charts.tsx';
import { Today } from '../charts/today.tsx';
import { figuresQuery, today } from '../charts/use-figure-days.ts';
import { reais } from '../money.ts';

interface Attended {
  readonly attention: Data<typeof operateOverviewContracts.getAttention>;
}

function Counts({ attention: { failedWebhooks, openCases, openTasks } }: Attended) {
  const { format } = useLanguage();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
      <Figure
        name="Open tasks, at least"
        value={
          <TextLink inherit to="/tasks">
            {format.number(openTasks.atLeast)}
          </TextLink>
        }
        note={
          openTasks.oldestAt === null
            ? 'none is waiting'
            : `the oldest of them since ${format.moment(openTasks.oldestAt)}`
        }
      />
      <Figure
        name="Past their deadline"
        value={
          <TextLink inherit to="/tasks" search={{ stuck: 'deadline' }}>
            {format.number(openTasks.overdue)}
          </TextLink>
        }
        note="of these open tasks"
      />
      <Figure
        name="Failed webhooks"
        value={
          <TextLink inherit to="/tasks" search={{ stuck: 'webhook' }}>
            {format.number(failedWebhooks)}
          </TextLink>
        }
        note="in the last 24 hours, not sent again"
      />
      <Figure
        name="Open cases"
        value={
          <TextLink inherit to="/cases">
            {format.number(openCases)}
          </TextLink>
        }
        note="payments that need a decision"
      />
    </SimpleGrid>
  );
}

function EnginesAndSwitches({ attention: { circuits, switchedOff } }: Attended) {
  const { format } = useLanguage();
  return (
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

/** What was paid and returned today, and the credits that were sold and not used yet. */
function Money() {
  const { format } = useLanguage();
  // The charts read the day with the same request, so it is sent once.
  const query = useQuery(figuresQuery(today(), 'operation'));
  const each = (cents: Readonly<Record<string, number>>): string =>
    Object.entries(cents)
      .map(([name, one]) => `${paymentText(name)}: ${reais(one)}`)
      .join('; ') || 'nothing yet';
  return (
    <Loaded query={query} rows={1}>
      {({ totals: { returnedCents, revenueCents, unused, unusedChange } }) => (
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <Figure name="Paid today" value={reais(totalOf(revenueCents))} note={each(revenueCents)} />
          <Figure name="Returned today" value={reais(totalOf(returnedCents))} note={each(returnedCents)} />
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
      <Loaded query={attention}>
        {(found) => (
          <>
            <Counts attention={found} />
            <EnginesAndSwitches attention={found} />
          </>
        )}
      </Loaded>
      <Backlog />
      <Money />
      <OverviewCharts />
      <Today by="operation" />
      <Today by="engine" />
      <Today by="account" />
    </Page>
  );
}
