/** How the balance changed in the last 30 days, as far back as a few pages of the credit history reach. */
import { keepPreviousData } from '@tanstack/react-query';
import { accountContracts } from '../../../shared/contracts/account.ts';
import { useApi } from '../../api/use-api.ts';
import { balanceSteps, type Step } from './balance-steps.ts';

const pageSize = 100;
const periodMs = 30 * 86_400_000;

const minuteMs = 60_000;

function useHistoryPage(offset: number, enabled: boolean) {
  const options = { enabled, placeholderData: keepPreviousData, refetchInterval: minuteMs, staleTime: minuteMs };
  const { data } = useApi(accountContracts.listCreditHistory, { query: { limit: pageSize, offset } }, options);
  const oldest = data?.history.at(-1);
  const hasMore = data?.history.length === pageSize && Date.parse(oldest?.createdAt ?? '') > Date.now() - periodMs;
  return { data, hasMore };
}

/** Undefined while loading. */
export function useBalanceSteps(): readonly Step[] | undefined {
  const first = useHistoryPage(0, true);
  const second = useHistoryPage(pageSize, first.hasMore);
  const third = useHistoryPage(2 * pageSize, second.hasMore);
  const pages = [first, ...(first.hasMore ? [second] : []), ...(first.hasMore && second.hasMore ? [third] : [])];
  if (!first.data || pages.some(({ data }) => !data)) return undefined;
  // An entry is on two pages if another was added between the requests for them.
  const entries = new Map(pages.flatMap(({ data }) => data?.history ?? []).map((entry) => [entry.id, entry]));
  return balanceSteps(first.data.balance, [...entries.values()], Date.now() - periodMs);
}
