/** The month's spending by operation and by token. */
import { Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import { usageContracts } from '../../../shared/contracts/usage.ts';
import { useApi } from '../../api/use-api.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { spentOf, type Usage } from './use-month.ts';

interface Share {
  readonly key: string;
  readonly label: string;
  readonly credits: number;
}

/** The largest shares, in descending order. */
function sharesOf(usage: Usage, keyOf: (entry: Usage[number]) => readonly [key: string, label: string]): Share[] {
  const shares = new Map<string, Share>();
  for (const entry of usage) {
    const [key, label] = keyOf(entry);
    shares.set(key, { key, label, credits: (shares.get(key)?.credits ?? 0) + spentOf(entry) });
  }
  return [...shares.values()]
    .filter(({ credits }) => credits > 0)
    .toSorted((a, b) => b.credits - a.credits)
    .slice(0, 5);
}

function Shares({ title, shares }: { readonly title: string; readonly shares: readonly Share[] }) {
  const { format } = useLanguage();
  const largest = shares[0]?.credits ?? 1;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {shares.map(({ key, label, credits }) => (
        <div key={key}>
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <Text size="sm" truncate>
              {label}
            </Text>
            <Text size="sm" c="dimmed" className="number">
              {format.number(credits)}
            </Text>
          </Group>
          <Progress value={(credits / largest) * 100} size="xs" aria-hidden="true" />
        </div>
      ))}
    </Stack>
  );
}

/** `usage` is the daily usage by task type; the usage by token is requested here. */
export function SpendShares({
  usage,
  from,
  to,
}: {
  readonly usage: Usage;
  readonly from: string;
  readonly to: string;
}) {
  const { text } = useLanguage();
  const tokens = useApi(dashboardContracts.listTokens).data?.tokens ?? [];
  const nameOf = (id: string) => tokens.find(({ tokenId }) => tokenId === id)?.name ?? id;
  const query = { from, to, groupBy: 'token' } as const;
  const ofTokens = useApi(usageContracts.getUsage, { query }, { refetchInterval: 30_000 }).data?.rows ?? [];
  const byOperation = sharesOf(usage, ({ taskType = '' }) => [taskType, labelOf(text.taskTypes, taskType)]);
  const byToken = sharesOf(ofTokens, ({ token }) => (token ? [token, nameOf(token)] : ['', text.shell.dashboard]));
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
      <Shares title={text.overview.byOperation} shares={byOperation} />
      <Shares title={text.overview.byToken} shares={byToken} />
    </SimpleGrid>
  );
}
