/** The webhooks sent to the account's back ends, and how to verify them. */
import { SegmentedControl, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import { useApi } from '../../api/use-api.ts';
import { useSession } from '../../app/session.tsx';
import { useLanguage } from '../../language/language.tsx';
import { CodeBlock } from '../../parts/copy.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager, usePaging } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { type Delivery, DeliveryRow } from './delivery-row.tsx';
import { PublicKeys, useKeysUrl } from './public-keys.tsx';
import { verifierCode } from './verifier.ts';

const route = getRouteApi('/webhooks');

const DeliveryList = ({ deliveries }: { readonly deliveries: readonly Delivery[] }) => (
  <ul className="rows">
    {deliveries.map((delivery) => (
      <DeliveryRow key={delivery.taskId} delivery={delivery} />
    ))}
  </ul>
);

/** Whether the service runs on the same machine as the browser. */
const isOnThisMachine = (url: string): boolean => ['127.0.0.1', 'localhost'].includes(new URL(url).hostname);

function NoDeliveries() {
  const { text } = useLanguage();
  const { apiUrl } = useSession();
  return (
    <Empty icon="webhooks" title={text.webhooks.empty} hint={text.webhooks.emptyHint}>
      {isOnThisMachine(apiUrl) && (
        <Text size="sm">
          {text.webhooks.listener} <code>npm run webhooks</code>
        </Text>
      )}
    </Empty>
  );
}

function Deliveries() {
  const { text } = useLanguage();
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const paging = usePaging(20);
  const isFailing = status === 'failed';
  const query = useApi(
    dashboardContracts.listDeliveries,
    { query: { ...paging.query, status } },
    { refetchInterval: 5000, placeholderData: (previous) => previous },
  );
  const choose = (value: string) => {
    paging.go(0);
    void navigate({ search: value === '' ? {} : { status: value } });
  };
  return (
    <Section
      title={text.webhooks.deliveries}
      action={
        <SegmentedControl
          size="xs"
          aria-label={text.common.status}
          value={isFailing ? 'failed' : ''}
          onChange={choose}
          data={[
            { value: '', label: text.common.all },
            { value: 'failed', label: text.webhooks.failing },
          ]}
        />
      }
    >
      <Loaded query={query}>
        {({ deliveries }) => (
          <>
            {deliveries.length === 0 && isFailing && <Empty icon="check" title={text.webhooks.noFailing} />}
            {deliveries.length === 0 && !isFailing && <NoDeliveries />}
            {deliveries.length > 0 && <DeliveryList deliveries={deliveries} />}
            <Pager paging={paging} count={deliveries.length} of={text.webhooks.deliveries} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

export function Webhooks() {
  const { text } = useLanguage();
  return (
    <Page title={text.webhooks.title} lead={text.webhooks.lead}>
      <Deliveries />
      <PublicKeys />
      <Section title={text.webhooks.verifier} hint={text.webhooks.verifierHint}>
        <CodeBlock label="verify-webhook.mjs" code={verifierCode(useKeysUrl())} />
      </Section>
    </Page>
  );
}
