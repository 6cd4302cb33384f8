/** The Billing page: buying credits and plans, and the history of credits. */
import { Text } from '@mantine/core';
import { accountContracts } from '../../../shared/contracts/account.ts';
import { publicContracts } from '../../../shared/contracts/public.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { CheckoutReturn } from './checkout-return.tsx';
import { CurrentPlan } from './current-plan.tsx';
import { History } from './history.tsx';
import { Orders } from './orders.tsx';
import { Packs } from './packs.tsx';
import { Plans } from './plans.tsx';

/** The balance, which wide screens show next to every page instead. */
function Balance() {
  const { text, credits } = useLanguage();
  const { data } = useApi(accountContracts.listCreditHistory, { query: { limit: 1 } });
  return (
    <div className="phones-only">
      <Text size="sm" c="dimmed">
        {text.billing.balance}
      </Text>
      <Text size="xl" fw={600}>
        {data ? credits(data.balance) : '–'}
      </Text>
    </div>
  );
}

export function Billing() {
  const { text } = useLanguage();
  const catalog = useApi(publicContracts.listPlans, {}, { staleTime: 60_000 });
  return (
    <Page title={text.billing.title} action={<Balance />}>
      <CheckoutReturn />
      <CurrentPlan />
      <Section title={text.billing.packs} hint={text.billing.packsHint}>
        <Loaded query={catalog}>{({ creditPacks }) => <Packs packs={creditPacks} />}</Loaded>
      </Section>
      <Loaded query={catalog}>{(data) => <Plans catalog={data} />}</Loaded>
      <Orders />
      <History />
    </Page>
  );
}
