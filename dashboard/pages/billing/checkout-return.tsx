/** Shows the outcome of a checkout after its redirect. */
import { Alert, Loader } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { accountContracts } from '../../../shared/contracts/account.ts';
import { billingContracts } from '../../../shared/contracts/billing.ts';
import { subscriptionContracts } from '../../../shared/contracts/subscriptions.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Icon } from '../../parts/icon.tsx';
import { type CheckedSubscription, checkoutOutcome, confirmationMs } from './checkout-outcome.ts';

const route = getRouteApi('/billing');

/** The data that a new subscription changes. */
const changed = [
  accountContracts.listCreditHistory.operationId,
  accountContracts.getProfile.operationId,
  billingContracts.listOrders.operationId,
];

/** Shows whether the checkout was paid. The URL may be forged, so the subscription's status decides. */
function Completed({ orderId }: { readonly orderId: string | undefined }) {
  const { text } = useLanguage();
  const queries = useQueryClient();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), confirmationMs);
    return () => clearTimeout(timer);
  }, []);
  const outcomeOf = (subscription: CheckedSubscription) => checkoutOutcome({ subscription, orderId, isLate });
  const { data } = useApi(
    subscriptionContracts.getSubscription,
    {},
    { refetchInterval: ({ state }) => (outcomeOf(state.data?.subscription) === 'waiting' ? 3000 : false) },
  );
  const outcome = outcomeOf(data?.subscription);
  const isActive = outcome === 'subscribed';
  useEffect(() => {
    if (!isActive) return;
    for (const operationId of changed) void queries.invalidateQueries({ queryKey: [operationId] });
  }, [queries, isActive]);
  if (isActive) {
    return (
      <Alert color="green" icon={<Icon name="check" />} title={text.billing.subscribed} role="status">
        {text.billing.subscribedHint}
      </Alert>
    );
  }
  if (outcome === 'other') {
    return (
      <Alert icon={<Icon name="alert" />} title={text.billing.otherSubscribed} role="status">
        {text.billing.otherSubscribedHint}
      </Alert>
    );
  }
  if (outcome === 'unconfirmed') {
    return <Alert icon={<Icon name="alert" />} title={text.billing.unconfirmed} role="status" />;
  }
  return (
    <Alert icon={<Loader size={16} />} title={text.billing.confirming} role="status">
      {text.billing.confirmingHint}
    </Alert>
  );
}

export function CheckoutReturn() {
  const { text } = useLanguage();
  const { checkout, orderId } = route.useSearch();
  if (checkout === 'completed') return <Completed orderId={orderId} />;
  if (checkout !== 'canceled') return null;
  return (
    <Alert color="yellow" icon={<Icon name="alert" />} title={text.billing.leftCheckout} role="status">
      {text.billing.leftCheckoutHint}
    </Alert>
  );
}
