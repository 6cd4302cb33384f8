/** The order of a pack: how to pay it, and its status. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { accountContracts } from '../../../shared/contracts/account.ts';
import { billingContracts } from '../../../shared/contracts/billing.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { useSession } from '../../app/session.tsx';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LinkButton, TextLink } from '../../parts/link-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { NotFound } from '../not-found.tsx';

const route = getRouteApi('/billing/orders/$orderId');

type Order = Data<typeof billingContracts.getOrder>;
type Pix = NonNullable<Order['pix']>;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** A countdown such as `29:59`. */
function Countdown({ until }: { readonly until: string }) {
  const { text } = useLanguage();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((Date.parse(until) - now) / 1000));
  return text.billing.expiresIn(`${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)}`);
}

function Payment({ pix }: { readonly pix: Pix }) {
  const { text } = useLanguage();
  const { pixSandboxUrl } = useSession();
  return (
    <Section title={text.billing.payWithPix} hint={text.billing.scan}>
      <Group align="flex-start" gap="xl">
        <div className="qr">
          <img src={pix.qrCodeBase64} alt={text.billing.qrAlt} />
        </div>
        <Stack gap="sm" style={{ flex: '1 1 260px' }}>
          <Text size="sm" fw={600}>
            {text.billing.pixCode}
          </Text>
          <div className="secret">{pix.qrCode}</div>
          <Group>
            <Copy value={pix.qrCode} label={text.billing.copyCode} variant="filled" />
            {pixSandboxUrl !== null && (
              <Button
                component="a"
                href={`${pixSandboxUrl}/pay?${new URLSearchParams({ code: pix.qrCode }).toString()}`}
                target="_blank"
                rel="noreferrer"
                variant="default"
              >
                {text.billing.payInSandbox}
              </Button>
            )}
          </Group>
          <Text size="sm" className="status" data-tone="busy" role="status" style={{ whiteSpace: 'normal' }}>
            {text.billing.waiting}
          </Text>
          <Text size="sm" c="dimmed">
            <Countdown until={pix.expiresAt} />
          </Text>
        </Stack>
      </Group>
    </Section>
  );
}

function Outcome({ order }: { readonly order: Order }) {
  const { text, format } = useLanguage();
  if (order.status === 'pending') return order.pix ? <Payment pix={order.pix} /> : null;
  if (order.status === 'paid') {
    return (
      <Alert color="green" icon={<Icon name="check" />} title={text.billing.paid} role="status">
        <Stack align="flex-start" gap="sm">
          {text.billing.paidHint(format.number(order.credits))}
          <LinkButton to="/">{text.common.toOverview}</LinkButton>
        </Stack>
      </Alert>
    );
  }
  const isExpired = order.status === 'expired';
  return (
    <Alert color="yellow" icon={<Icon name="alert" />} title={isExpired ? text.billing.expired : text.billing.closed}>
      <Stack align="flex-start" gap="sm" c="var(--mantine-color-text)">
        {isExpired ? text.billing.expiredHint : labelOf(text.orderStatuses, order.status)}
        <LinkButton to="/billing">{text.shell.buy}</LinkButton>
      </Stack>
    </Alert>
  );
}

function OrderDetails({ order }: { readonly order: Order }) {
  const { text, format, credits } = useLanguage();
  const queries = useQueryClient();
  const { status } = order;
  useEffect(() => {
    if (status === 'pending') return;
    void queries.invalidateQueries({ queryKey: [accountContracts.listCreditHistory.operationId] });
    void queries.invalidateQueries({ queryKey: [billingContracts.listOrders.operationId] });
  }, [queries, status]);
  return (
    <Page
      title={credits(order.credits)}
      lead={`${format.money(order.amount)} · ${format.moment(order.createdAt)}`}
      action={<Status status={status} label={labelOf(text.orderStatuses, status)} />}
    >
      <Outcome order={order} />
    </Page>
  );
}

export function OrderPage() {
  const { text } = useLanguage();
  const { orderId } = route.useParams();
  const query = useApi(
    billingContracts.getOrder,
    { params: { orderId } },
    { refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 2500 : false) },
  );
  return (
    <Stack gap="sm">
      <TextLink to="/billing" size="sm" w="fit-content">
        ← {text.billing.title}
      </TextLink>
      <Loaded query={query} missing={<NotFound />}>
        {(order) => <OrderDetails order={order} />}
      </Loaded>
    </Stack>
  );
}
