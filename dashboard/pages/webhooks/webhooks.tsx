/** The webhooks sent to the account's back ends, and how to verify them. */
import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { CodeBlock } from '../../parts/copy.tsx';
import { Empty } from '../../parts/empty.tsx';
import { TextLink } from '../../parts/link-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager, usePaging } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { Redeliver } from '../tasks/task-webhook.tsx';
import { PublicKeys, useKeysUrl } from './public-keys.tsx';
import { verifierCode } from './verifier.ts';

const route = getRouteApi('/webhooks');

type Delivery = Data<typeof dashboardContracts.listDeliveries>['deliveries'][number];

function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const { text, format } = useLanguage();
  const { attempts, status, taskId, taskType, url } = delivery;
  const last = attempts.at(-1);
  const facts = [
    text.webhooks.attempts(attempts.length),
    ...(last ? [format.ago(last.at)] : []),
    ...(last && last.error !== null ? [labelOf(text.deliveryErrors, last.error)] : []),
  ];
  return (
    <Group component="li" justify="space-between" gap="sm">
      <Stack gap={2} style={{ flex: '1 1 280px' }}>
        <Group gap="sm">
          <TextLink to="/tasks/$taskId" params={{ taskId }} fw={600}>
            {labelOf(text.taskTypes, taskType)}
          </TextLink>
          <Status status={status} label={labelOf(text.deliveryStatuses, status)} />
        </Group>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Text>
        <Text size="sm" c="dimmed">
          {facts.join(' · ')}
        </Text>
      </Stack>
      {status === 'failed' && <Redeliver taskId={taskId} />}
    </Group>
  );
}

const DeliveryList = ({ deliveries }: { readonly deliveries: readonly Delivery[] }) => (
  <ul className="rows">
    {deliveries.map((delivery) => (
      <DeliveryRow key={delivery.taskId} delivery={delivery} />
    ))}
  </ul>
);

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
            {deliveries.length === 0 && !isFailing && (
              <Empty icon="webhooks" title={text.webhooks.empty} hint={text.webhooks.emptyHint} />
            )}
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
