/** The plans on sale, and the account's subscription. */
import { Alert, Button, Group, Paper, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { accountContracts } from '../../../shared/contracts/account.ts';
import { billingContracts } from '../../../shared/contracts/billing.ts';
import { type BillingCycle, billingCycles } from '../../../shared/contracts/billing-cycles.ts';
import type { publicContracts } from '../../../shared/contracts/public.ts';
import { subscriptionContracts } from '../../../shared/contracts/subscriptions.ts';
import type { Data } from '../../api/call.ts';
import { useApi, useCall } from '../../api/use-api.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { failureText } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { useIdempotencyKey } from './use-idempotency-key.ts';

type Catalog = Data<typeof publicContracts.listPlans>;
type Plan = Catalog['plans'][number];
type Subscription = Data<typeof subscriptionContracts.getSubscription>['subscription'];
type Checkout = Data<typeof subscriptionContracts.createSubscription>;

interface OfferProps {
  readonly plan: Plan;
  readonly cycle: BillingCycle;
  readonly coupon: string;
  readonly isCurrent: boolean;
  readonly canSubscribe: boolean;
  readonly onCheckout: (checkout: Checkout) => void;
}

function SubscribeButton({ plan, cycle, coupon, isCurrent, canSubscribe, onCheckout }: OfferProps) {
  const { text } = useLanguage();
  const [idempotencyKey, renew] = useIdempotencyKey();
  const subscribe = useCall(subscriptionContracts.createSubscription, {
    onSuccess: (checkout) => {
      renew();
      onCheckout(checkout);
    },
  });
  const body = { planId: plan.id, billingCycle: cycle, ...(coupon !== '' && { couponCode: coupon }) };
  return (
    <>
      <Button
        variant="default"
        disabled={!canSubscribe}
        loading={subscribe.isPending}
        aria-label={`${isCurrent ? text.billing.current : text.billing.subscribe}: ${plan.name}`}
        onClick={() => subscribe.mutate({ body, idempotencyKey })}
      >
        {isCurrent ? text.billing.current : text.billing.subscribe}
      </Button>
      {subscribe.isError && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {failureText(subscribe.error, text)}
        </Text>
      )}
    </>
  );
}

function Offer(props: OfferProps) {
  const { text, format } = useLanguage();
  const { plan, cycle, isCurrent } = props;
  const isAnnual = cycle === 'annual';
  return (
    <Paper component="li" p="md" className="offer" data-highlighted={isCurrent}>
      <Text fw={600}>{plan.name}</Text>
      <Text size="xl" fw={600}>
        {format.money(isAnnual ? plan.priceAnnual : plan.priceMonthly)}{' '}
        <Text span size="sm" c="dimmed">
          {isAnnual ? text.billing.perYear : text.billing.perMonth}
        </Text>
      </Text>
      <ul>
        {plan.features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
      <SubscribeButton {...props} />
    </Paper>
  );
}

function Pending({ checkout, planName }: { readonly checkout: Checkout; readonly planName: string }) {
  const { text } = useLanguage();
  return (
    <Alert title={text.billing.checkoutTitle} icon={<Icon name="external" />} role="status">
      <Stack gap="sm" align="flex-start">
        {text.billing.checkout(planName)}
        <Button component="a" href={checkout.checkoutUrl} target="_blank" rel="noreferrer">
          {text.billing.openCheckout}
        </Button>
      </Stack>
    </Alert>
  );
}

function Current({ subscription }: { readonly subscription: NonNullable<Subscription> }) {
  const { text, format } = useLanguage();
  const { currentPeriodEnd, planName, status } = subscription;
  const until = status === 'canceled' ? text.billing.ends : text.billing.renews;
  return (
    <Stack gap={4}>
      <Group gap="sm">
        <Text fw={600}>{planName}</Text>
        <Status status={status} label={labelOf(text.subscriptionStatuses, status)} />
        {currentPeriodEnd !== null && (
          <Text size="sm" c="dimmed">
            {until(format.day(currentPeriodEnd))}
          </Text>
        )}
      </Group>
      {status === 'past_due' && <Text size="sm">{text.billing.pastDue}</Text>}
    </Stack>
  );
}

interface TermsProps {
  readonly catalog: Catalog;
  readonly cycle: BillingCycle;
  readonly coupon: string;
  readonly onCycle: (cycle: BillingCycle) => void;
  readonly onCoupon: (coupon: string) => void;
}

function Terms({ catalog, cycle, coupon, onCycle, onCoupon }: TermsProps) {
  const { text } = useLanguage();
  const label = (value: BillingCycle) =>
    value === 'annual' ? `${text.billingCycles.annual} · ${catalog.annualBadge}` : text.billingCycles[value];
  return (
    <Group align="flex-end" gap="md">
      {catalog.showAnnualToggle && (
        <SegmentedControl
          aria-label={text.billing.plans}
          value={cycle}
          onChange={onCycle}
          data={billingCycles.map((value) => ({ value, label: label(value) }))}
        />
      )}
      <TextInput
        label={text.billing.coupon}
        maxLength={200}
        w={180}
        value={coupon}
        onChange={({ currentTarget }) => onCoupon(currentTarget.value)}
      />
    </Group>
  );
}

export function Plans({ catalog }: { readonly catalog: Catalog }) {
  const { text } = useLanguage();
  const [cycle, setCycle] = useState<BillingCycle>('monthly');
  const [coupon, setCoupon] = useState('');
  const [checkout, setCheckout] = useState<Checkout>();
  const query = useApi(subscriptionContracts.getSubscription, {}, { refetchInterval: checkout ? 3000 : false });
  const subscription = query.data?.subscription ?? null;
  const isSubscribed = subscription?.status === 'active' || subscription?.status === 'past_due';
  const queries = useQueryClient();
  // The ledger and the orders beside the plans show what the subscription has brought.
  useEffect(() => {
    if (!checkout || !isSubscribed) return;
    void queries.invalidateQueries({ queryKey: [accountContracts.listCreditHistory.operationId] });
    void queries.invalidateQueries({ queryKey: [billingContracts.listOrders.operationId] });
  }, [queries, checkout, isSubscribed]);
  const planName = catalog.plans.find(({ id }) => id === checkout?.planId)?.name ?? '';
  return (
    <Section title={text.billing.plans}>
      {subscription && subscription.status !== 'pending' && <Current subscription={subscription} />}
      {checkout && !isSubscribed && <Pending checkout={checkout} planName={planName} />}
      {checkout && isSubscribed && (
        <Alert color="green" icon={<Icon name="check" />} title={text.billing.subscribed} role="status">
          {text.billing.subscribedHint}
        </Alert>
      )}
      {!isSubscribed && (
        <Terms catalog={catalog} cycle={cycle} coupon={coupon} onCycle={setCycle} onCoupon={setCoupon} />
      )}
      <ul className="offers">
        {catalog.plans.map((plan) => (
          <Offer
            key={plan.id}
            plan={plan}
            cycle={cycle}
            coupon={coupon}
            isCurrent={isSubscribed && subscription?.planId === plan.id}
            canSubscribe={query.isSuccess && !isSubscribed}
            onCheckout={setCheckout}
          />
        ))}
      </ul>
    </Section>
  );
}
