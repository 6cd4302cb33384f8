/** The Overview page: balance, spending, running tasks and failures. */
import { Alert, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { accountContracts } from '../../../shared/contracts/account.ts';
import { simultaneousTasks } from '../../../shared/contracts/limits.ts';
import { tasksContracts } from '../../../shared/contracts/tasks.ts';
import { useApi } from '../../api/use-api.ts';
import { useSession } from '../../app/session.tsx';
import { useLanguage } from '../../language/language.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LinkButton } from '../../parts/link-button.tsx';
import { Page } from '../../parts/page.tsx';
import { BalanceChart } from './balance-chart.tsx';
import { FailedTasks } from './failed-tasks.tsx';
import { Figure } from './figure.tsx';
import { FirstRequest } from './first-request.tsx';
import { RunningTasks, useRunningTasks } from './running-tasks.tsx';
import { SpendChart } from './spend-chart.tsx';
import { useMonth } from './use-month.ts';

/** Whether the balance is lower than the price of the most expensive common request. */
const lowBalance = 60;

function Figures({ balance }: { readonly balance: number | undefined }) {
  const { text, format } = useLanguage();
  const { totals } = useMonth();
  const running = useRunningTasks();
  const shown = (value: number | undefined) => (value === undefined ? '–' : format.number(value));
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Figure name={text.overview.balance} value={shown(balance)} note={text.billing.credits} />
      <Figure
        name={text.overview.spent}
        value={shown(totals?.spent)}
        note={text.overview.tasksThisMonth(totals?.tasks ?? 0, shown(totals?.tasks))}
      />
      <Figure
        name={text.overview.runningNow}
        value={shown(running.tasks?.length)}
        note={text.overview.ofLimit(format.number(simultaneousTasks))}
      />
      <Figure name={text.overview.returned} value={shown(totals?.creditsRefunded)} note={text.overview.returnedWhy} />
    </SimpleGrid>
  );
}

function LowBalance() {
  const { text } = useLanguage();
  return (
    <Alert color="yellow" icon={<Icon name="alert" />} title={text.overview.lowTitle}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{text.overview.low}</Text>
        <LinkButton to="/billing" size="xs">
          {text.shell.buy}
        </LinkButton>
      </Group>
    </Alert>
  );
}

export function Overview() {
  const { text } = useLanguage();
  const { name } = useSession();
  const credits = useApi(accountContracts.listCreditHistory, { query: { limit: 1 } }, { refetchInterval: 15_000 });
  const newest = useApi(tasksContracts.listTasks, { query: { limit: 1 } }, { refetchInterval: 5000 });
  const balance = credits.data?.balance;
  const isNew = newest.data?.tasks.length === 0;
  return (
    <Page title={text.overview.title} lead={text.overview.hello(name)}>
      {balance !== undefined && balance < lowBalance && <LowBalance />}
      <Figures balance={balance} />
      {isNew ? (
        <FirstRequest />
      ) : (
        <Stack gap="lg">
          <SpendChart />
          <BalanceChart />
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <RunningTasks />
            <FailedTasks />
          </SimpleGrid>
        </Stack>
      )}
    </Page>
  );
}
