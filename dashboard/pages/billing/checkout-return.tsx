/** What became of a checkout, for who comes back from it. */
import { Alert, Loader } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { accountContracts } from '../../../shared/contracts/account.ts';
import { billingContracts } from '../../../shared/contracts/billing.ts';
import { subscriptionContracts } from '../../../shared/contracts/subscriptions.ts';
import { useApi } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { Icon } from '../../parts/icon.tsx';

const route = getRouteApi('/billing');

/** What a subscription changes beside itself. */
const changed = [
  accountContracts.listCreditHistory.operationId,
  accountContracts.getProfile.operationId,
  billingContracts.listOrders.operationId,
];

/** The address may be made up: what counts is the subscription, which the payment makes active. */
function Completed({ orderId }: { readonly orderId: string | undefined }) {
  const { text } = useLanguage();
  const queries = useQueryClient();
  const { data } = useApi(
    subscriptionContracts.getSubscription,
    {},
    { refetchInterval: ({ state }) => (state.data?.subscription?.status === 'active' ? false : 3000) },
  );
  const subscription = data?.subscription;
  const isActive = subscription?.status === 'active' && (orderId === undefined || subscription.id === orderId);
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
