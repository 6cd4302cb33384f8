/** Continues an incomplete reconciliation: the next run starts where the last one stopped. */
import * as z from 'zod';
import { once } from '../../../contracts/once.ts';
import type { PixGateway } from '../../../gateways/pix-gateway.ts';
import { reconciliationKey } from '../../keys.ts';
import type { Stores } from '../../stores.ts';

interface Needs extends Pick<Stores, 'orders' | 'table'> {
  readonly pixGateway: Pick<PixGateway, 'name'>;
}

const Turn = once(() => z.object({ after: z.string().optional() }));

const turnKey = ({ pixGateway }: Needs) => reconciliationKey(`${pixGateway.name}#orders`);

/** The ids of all pending orders, beginning after the last one of the previous run. */
export async function* ordersInTurn(needs: Needs): AsyncGenerator<string> {
  const { after } = Turn().parse((await needs.table.get(turnKey(needs))) ?? {});
  yield* needs.orders.pending(after);
  if (after === undefined) return;
  for await (const orderId of needs.orders.pending()) {
    if (orderId > after) return;
    yield orderId;
  }
}

/** Stores the last order of this run in `after`; undefined if the run was complete. */
export const saveTurn = (needs: Needs, after: string | undefined): Promise<void> =>
  needs.table.put({ Item: { ...turnKey(needs), ...(after !== undefined && { after }) } });
