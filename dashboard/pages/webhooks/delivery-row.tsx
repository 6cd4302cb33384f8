/** A webhook in the list: how its delivery went, and on demand what was sent and every attempt. */
import { Button, Collapse, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId } from 'react';
import type { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import type { Data } from '../../api/call.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { CodeBlock } from '../../parts/copy.tsx';
import { TextLink } from '../../parts/link-button.tsx';
import { Status } from '../../parts/status.tsx';
import { Redeliver } from '../tasks/task-webhook.tsx';
import { Attempts } from './attempts.tsx';
import { deliveryReason } from './delivery-reason.ts';

export type Delivery = Data<typeof dashboardContracts.listDeliveries>['deliveries'][number];

/** The headers as they are sent, one a line. */
const headersText = ({ request }: Delivery): string =>
  Object.entries(request.headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

function Details({ delivery }: { readonly delivery: Delivery }) {
  const { text } = useLanguage();
  const body = JSON.stringify(JSON.parse(delivery.request.body), null, 2);
  return (
    <Stack gap="sm" pt="sm">
      <Attempts attempts={delivery.attempts} />
      <Text size="sm">{text.webhooks.requestHint}</Text>
      <CodeBlock label={text.webhooks.headers} code={headersText(delivery)} />
      <Text size="sm" c="dimmed">
        {text.webhooks.hiddenHeaders}
      </Text>
      <CodeBlock label={text.webhooks.body} code={body} copied={delivery.request.body} />
    </Stack>
  );
}

export function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const { text, format } = useLanguage();
  const [isOpen, { toggle }] = useDisclosure(false);
  const detailsId = useId();
  const { attempts, status, taskId, taskType, url } = delivery;
  const last = attempts.at(-1);
  const reason = last && deliveryReason(last, text);
  const facts = [text.webhooks.attempts(attempts.length), ...(last ? [format.ago(last.at)] : [])];
  return (
    <li>
      <Group justify="space-between" gap="sm">
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
          {reason !== undefined && <Text size="sm">{reason}</Text>}
          <Text size="sm" c="dimmed">
            {facts.join(' · ')}
          </Text>
        </Stack>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={toggle} aria-expanded={isOpen} aria-controls={detailsId}>
            {text.webhooks.details}
          </Button>
          {status !== 'pending' && <Redeliver taskId={taskId} />}
        </Group>
      </Group>
      <Collapse id={detailsId} expanded={isOpen}>
        {isOpen && <Details delivery={delivery} />}
      </Collapse>
    </li>
  );
}
