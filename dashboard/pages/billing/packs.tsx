/** Credit packs, each bought with one click. */
import { Button, Paper, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { billingContracts } from '../../../shared/contracts/billing.ts';
import type { publicContracts } from '../../../shared/contracts/public.ts';
import type { Data } from '../../api/call.ts';
import { useCall } from '../../api/use-api.ts';
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts';
import { labelOf, useLanguage } from '../../language/language.tsx';
import { purchaseFailureText } from '../../parts/failure-text.ts';

type Catalog = Data<typeof publicContracts.listPlans>;
type Pack = Catalog['creditPacks'][number];

function Offer({ pack }: { readonly pack: Pack }) {
  const { text, format, credits: creditsText } = useLanguage();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [idempotencyKey, renew] = useIdempotencyKey();
  const buy = useCall(billingContracts.createCreditOrder, {
    onSuccess: ({ id }) => {
      renew();
      void queries.invalidateQueries({ queryKey: [billingContracts.listOrders.operationId] });
      void navigate({ to: '/billing/orders/$orderId', params: { orderId: id } });
    },
  });
  const { credits, id, isPopular, name, price } = pack;
  const shownName = labelOf(text.catalog, name);
  return (
    <Paper component="li" p="md" className="offer" data-highlighted={isPopular}>
      {isPopular && <span className="ribbon">{text.billing.popular}</span>}
      <Text fw={600}>{shownName}</Text>
      {shownName !== creditsText(credits) && <Text size="sm">{creditsText(credits)}</Text>}
      <Text size="xl" fw={600}>
        {format.money(price)}
      </Text>
      <Text size="sm" c="dimmed" mb="sm">
        {text.billing.perCredit(format.unitPrice(price / credits))}
      </Text>
      <Button
        variant={isPopular ? 'filled' : 'default'}
        loading={buy.isPending}
        aria-label={`${text.billing.buy}: ${shownName}`}
        onClick={() => buy.mutate({ body: { packId: id }, idempotencyKey })}
      >
        {text.billing.buy}
      </Button>
      {buy.isError && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {purchaseFailureText(buy.error, text)}
        </Text>
      )}
    </Paper>
  );
}

export const Packs = ({ packs }: { readonly packs: readonly Pack[] }) => (
  <ul className="offers">
    {packs.map((pack) => (
      <Offer key={pack.id} pack={pack} />
    ))}
  </ul>
);
