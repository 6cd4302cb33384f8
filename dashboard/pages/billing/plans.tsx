/** The plans on sale. Choosing one leads to the gateway's checkout, which returns to this page. */
import { Button, Group, Paper, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type BillingCycle, billingCycles } from '../../../shared/contracts/billing-cycles.ts';
import type { publicContracts } from '../../../shared/contracts/public.ts';
import { subscriptionContracts } from '../../../shared/contracts/subscriptions.ts';
import { ApiError } from '../../api/api-error.ts';
import type { Data } from '../../api/call.ts';
import { useApi, useCall } from '../../api/use-api.ts';
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { purchaseFailureText } from '../../parts/failure-text.ts';
import { Section } from '../../parts/section.tsx';

type Catalog = Data<typeof publicContracts.listPlans>;
type Plan = Catalog['plans'][number];

interface OfferProps {
  readonly plan: Plan;
  readonly cycle: BillingCycle;
  readonly coupon: string;
  readonly isCurrent: boolean;
  readonly canSubscribe: boolean;
}

/** Whether the coupon was rejected; it is the only value that users type, since plan and cycle are selected. */
const isCouponRejected = (error: unknown, coupon: string): boolean =>
  coupon !== '' && error instanceof ApiError && error.status === 400;

function SubscribeButton({ plan, cycle, coupon, isCurrent, canSubscribe }: OfferProps) {
  const { text } = useLanguage();
  const [idempotencyKey, renew] = useIdempotencyKey();
  const subscribe = useCall(subscriptionContracts.createSubscription, {
    onSuccess: ({ checkoutUrl }) => {
      renew();
      location.assign(checkoutUrl);
    },
  });
  const { reset } = subscribe;
  // Resets the page, because a browser that goes back may restore it as it was left.
  useEffect(() => {
    const restored = ({ persisted }: PageTransitionEvent) => persisted && reset();
    addEventListener('pageshow', restored);
    return () => removeEventListener('pageshow', restored);
  }, [reset]);
  const body = { planId: plan.id, billingCycle: cycle, ...(coupon !== '' && { couponCode: coupon }) };
  return (
    <>
      <Button
        variant="default"
        disabled={!canSubscribe}
        loading={subscribe.isPending || subscribe.isSuccess}
        aria-label={`${isCurrent ? text.billing.current : text.billing.subscribe}: ${plan.name}`}
        onClick={() => subscribe.mutate({ body, idempotencyKey })}
      >
        {isCurrent ? text.billing.current : text.billing.subscribe}
      </Button>
      {subscribe.isError && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {isCouponRejected(subscribe.error, coupon)
            ? text.billing.couponRejected
            : purchaseFailureText(subscribe.error, text)}
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
          <li key={feature}>{labelOf(text.catalog, feature)}</li>
        ))}
      </ul>
      <SubscribeButton {...props} />
    </Paper>
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
    value === 'annual'
      ? `${text.billingCycles.annual} · ${labelOf(text.catalog, catalog.annualBadge)}`
      : text.billingCycles[value];
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
  const query = useApi(subscriptionContracts.getSubscription);
  const subscription = query.data?.subscription;
  const isSubscribed = subscription?.status === 'active' || subscription?.status === 'past_due';
  return (
    <Section title={text.billing.plans} {...(isSubscribed && { hint: text.billing.onePlan })}>
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
            isCurrent={isSubscribed && subscription.planId === plan.id}
            canSubscribe={query.isSuccess && !isSubscribed}
          />
        ))}
      </ul>
    </Section>
  );
}
