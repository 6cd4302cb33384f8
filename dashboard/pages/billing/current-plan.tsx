/** The account's plan: what it includes, and when it renews or ends. */
import { Group, Stack, Text } from '@mantine/core';
import { accountContracts } from '../../../shared/contracts/account.ts';
import { subscriptionContracts } from '../../../shared/contracts/subscriptions.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';

type Profile = Data<typeof accountContracts.getProfile>;
export type Subscription = NonNullable<Data<typeof subscriptionContracts.getSubscription>['subscription']>;

const Name = ({ name, subscription }: { readonly name: string; readonly subscription?: Subscription }) => {
  const { text } = useLanguage();
  return (
    <Group gap="sm">
      <Text fw={600}>{name}</Text>
      {subscription && (
        <Status status={subscription.status} label={labelOf(text.subscriptionStatuses, subscription.status)} />
      )}
    </Group>
  );
};

function Subscribed({ subscription, included }: { readonly subscription: Subscription; readonly included: string }) {
  const { text, format, credits } = useLanguage();
  const { billingCycle, creditsPerMonth, currentPeriodEnd, planName, status } = subscription;
  const [end, hint] =
    status === 'canceled' ? [text.billing.ends, text.billing.endsHint] : [text.billing.renews, undefined];
  return (
    <Stack gap="sm">
      <Name name={planName} subscription={subscription} />
      {status === 'past_due' && <Text size="sm">{text.billing.pastDue}</Text>}
      <Facts
        facts={[
          [text.billing.everyMonth, credits(creditsPerMonth)],
          [text.account.features, included],
          [text.billing.billed, labelOf(text.billingCycles, billingCycle)],
          ...(currentPeriodEnd === null ? [] : [[end, format.day(currentPeriodEnd)] as const]),
        ]}
      />
      {hint !== undefined && (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
    </Stack>
  );
}

/** A canceled subscription remains the account's plan until the end of the paid period. */
const isInForce = (subscription: Subscription | null): subscription is Subscription =>
  subscription !== null &&
  (subscription.status === 'active' ||
    subscription.status === 'past_due' ||
    (subscription.status === 'canceled' && Date.parse(subscription.currentPeriodEnd ?? '') > Date.now()));

interface PlanProps {
  readonly profile: Profile;
  readonly subscription: Subscription | null;
}

function Plan({ profile, subscription }: PlanProps) {
  const { text } = useLanguage();
  const { features, plan } = profile;
  const included = features.map((feature) => labelOf(text.features, feature)).join(', ') || '–';
  if (isInForce(subscription)) return <Subscribed subscription={subscription} included={included} />;
  if (!plan) {
    return (
      <Text size="sm" c="dimmed">
        {text.billing.noPlan}
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      <Name name={plan.name} />
      <Facts facts={[[text.account.features, included]]} />
      <Text size="sm" c="dimmed">
        {text.billing.granted}
      </Text>
    </Stack>
  );
}

export function CurrentPlan() {
  const { text } = useLanguage();
  const profile = useApi(accountContracts.getProfile);
  const current = useApi(subscriptionContracts.getSubscription);
  return (
    <Section title={text.billing.yourPlan}>
      <Loaded query={current} rows={2}>
        {({ subscription }) => (
          <Loaded query={profile} rows={2}>
            {(data) => <Plan profile={data} subscription={subscription} />}
          </Loaded>
        )}
      </Loaded>
    </Section>
  );
}
