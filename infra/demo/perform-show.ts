/** The steps of a demo, from the requests to the ledger. */
import type { Demo } from './demo.ts';
import type { Show, Step } from './show.ts';
import { checkLedger } from './steps/check-ledger.ts';
import { checkWebhooks } from './steps/check-webhooks.ts';
import { followTasks } from './steps/follow-tasks.ts';
import { repeatRequest } from './steps/repeat-request.ts';
import { saveResults } from './steps/save-results.ts';
import { sendRequests } from './steps/send-requests.ts';
import { readLedger, showLedger } from './steps/show-ledger.ts';
import { writePage } from './steps/write-page.ts';

/** Longer than three webhook attempts take. */
const webhookSeconds = 30;
const requestSeconds = 15;
/** Long, because the service reads the inputs of each request. */
const sendingSeconds = 90;
const savingSeconds = 60;
const pageSeconds = 15;

export async function performShow(demo: Demo, show: Show, step: Step): Promise<void> {
  const before = await step('The account before', requestSeconds, async (signal) => {
    const ledger = await readLedger(demo, signal);
    showLedger(demo, ledger);
    return ledger;
  });
  const title = `${show.requests.length} requests to POST /api/v1/generate/…, each with an Idempotency-Key and a callbackUrl`;
  const orders = await step(title, sendingSeconds, (signal) => sendRequests(demo, show.requests, signal));
  await step('Their progress, from GET /api/v1/tasks?ids=', show.followingSeconds, (signal) =>
    followTasks(demo, orders, signal),
  );
  const tasks = await step('The webhooks', webhookSeconds, (signal) => checkWebhooks(demo, orders, signal));
  const saved = await step('The results, downloaded from their URLs', savingSeconds, (signal) =>
    saveResults(demo, orders, tasks, signal),
  );
  await step('All results on one page', pageSeconds, () => writePage(demo, show, saved));
  const after = await step('The first request again, with the same Idempotency-Key', requestSeconds, (signal) =>
    repeatRequest(demo, orders[0], signal),
  );
  await step('The account after', requestSeconds, async () => {
    showLedger(demo, after);
    checkLedger(demo, before, after, tasks);
  });
}
