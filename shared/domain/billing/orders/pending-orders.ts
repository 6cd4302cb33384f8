/** Continues an incomplete reconciliation: the next run starts where the last one stopped. */
import * as z from 'zod';
import { once } from '../../../contracts/once.ts';
import type { PixGateway } from '../../../gateways/pix-gateway.ts';
import { reconciliationKey } from '../../keys.ts';
import type { Stores } from '../../stores.ts';

interface Needs extends Pick<Stores, 'orders' | 'table'> {
  readonly pixGateway: Pick<PixGateway, 'name'>;
}

const Cursor = once(() => z.object({ after: z.string().optional() }));

const cursorKey = ({ pixGateway }: Needs) => reconciliationKey(`${pixGateway.name}#orders`);

/** The ids of all pending orders: first those after the cursor, then those up to it. */
export async function* pendingOrdersFromCursor(needs: Needs): AsyncGenerator<string> {
  const { after } = Cursor().parse((await needs.table.get(cursorKey(needs))) ?? {});
  yield* needs.orders.pending(after);
  if (after === undefined) return;
  for await (const orderId of needs.orders.pending()) {
    if (orderId > after) return;
    yield orderId;
  }
}

/** Stores the id after which the next run continues; undefined if this run was complete. */
export const saveCursor = (needs: Needs, after: string | undefined): Promise<void> =>
  needs.table.put({ Item: { ...cursorKey(needs), ...(after !== undefined && { after }) } });
