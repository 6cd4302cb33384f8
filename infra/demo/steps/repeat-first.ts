/** Sends the first request once more, as a client does that never got the answer. */
import { isDeepStrictEqual } from 'node:util';
import { unless } from '../checks.ts';
import type { Demo } from '../demo.ts';
import { type Order, sendSentence } from './send-sentences.ts';
import { type Ledger, readLedger } from './show-ledger.ts';

/** Gives the ledger as it is afterwards. */
export async function repeatFirst(demo: Demo, first: Order, signal: AbortSignal): Promise<Ledger> {
  const before = await readLedger(demo, signal);
  const { status, headers, answer } = await sendSentence(demo, first.sentence, signal);
  const replayed = headers.get('idempotent-replayed');
  demo.screen.line(`Idempotent-Replayed: ${replayed}`);
  const after = await readLedger(demo, signal);
  const isSame = status === first.status && isDeepStrictEqual(answer, first.answer);
  demo.checks.report('replayed', [
    ...unless(isSame, 'the answer is another one'),
    ...unless(replayed === 'true', 'the answer is not marked with Idempotent-Replayed'),
    ...unless(isDeepStrictEqual(after, before), 'the ledger has changed'),
  ]);
  return after;
}
