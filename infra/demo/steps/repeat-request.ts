/** Repeats a request, like a client that did not receive the response. */
import { isDeepStrictEqual } from 'node:util';
import { unless } from '../checks.ts';
import type { Demo } from '../demo.ts';
import type { Order } from '../order.ts';
import { sendRequest } from './send-requests.ts';
import { type Ledger, readLedger } from './show-ledger.ts';

/** Returns the ledger afterwards. */
export async function repeatRequest(demo: Demo, order: Order, signal: AbortSignal): Promise<Ledger> {
  const before = await readLedger(demo, signal);
  const { status, headers, accepted } = await sendRequest(demo, order.request, signal);
  const replayed = headers.get('idempotent-replayed');
  demo.screen.line(`Idempotent-Replayed: ${replayed}`);
  const after = await readLedger(demo, signal);
  const isSame = status === order.status && isDeepStrictEqual(accepted, order.accepted);
  demo.checks.report('replayed', [
    ...unless(isSame, 'the response differs'),
    ...unless(replayed === 'true', 'the response is not marked with Idempotent-Replayed'),
    ...unless(isDeepStrictEqual(after, before), 'the ledger has changed'),
  ]);
  return after;
}
