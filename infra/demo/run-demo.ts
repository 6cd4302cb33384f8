/** The demo from its first step to its last, and what came of it. */
import { ApiError } from '../../shared/contracts/client.ts';
import type { CheckResult } from './checks.ts';
import type { Demo } from './demo.ts';
import { checkLedger } from './steps/check-ledger.ts';
import { checkWebhooks } from './steps/check-webhooks.ts';
import { followTasks } from './steps/follow-tasks.ts';
import { repeatFirst } from './steps/repeat-first.ts';
import { saveResults } from './steps/save-results.ts';
import { sendSentences } from './steps/send-sentences.ts';
import { readLedger, showLedger } from './steps/show-ledger.ts';
import { withinSeconds } from './time-limit.ts';

/** A step that could not be done: those after it would have nothing to work on. */
class StepFailed extends Error {
  override readonly name = 'StepFailed';
}

/** Longer than it takes to notice that an engine's callback was lost, and to ask instead. */
const followingSeconds = 90;
/** Longer than three attempts at a webhook take. */
const webhookSeconds = 30;
const requestSeconds = 15;

function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return `the service answered ${error.status} ${error.code}, ${error.message}`;
  const { message, cause } = error as Error;
  // fetch says no more than that it failed; its cause knows why.
  return error instanceof TypeError && cause instanceof Error ? `${message}, ${cause.message}` : message;
}

async function performSteps(demo: Demo, stop: AbortSignal): Promise<void> {
  const step = async <Value>(title: string, seconds: number, work: (signal: AbortSignal) => Promise<Value>) => {
    demo.screen.heading(title);
    try {
      return await withinSeconds(seconds, stop, work);
    } catch (error) {
      stop.throwIfAborted();
      throw new StepFailed(reasonOf(error), { cause: error });
    }
  };

  const before = await step('The account before', requestSeconds, async (signal) => {
    const ledger = await readLedger(demo, signal);
    showLedger(demo, ledger);
    return ledger;
  });
  const orders = await step(
    'Two requests to POST /api/v1/generate/voice, each with an Idempotency-Key and a callbackUrl',
    requestSeconds,
    (signal) => sendSentences(demo, signal),
  );
  await step('Their progress, from GET /api/v1/tasks?ids=', followingSeconds, (signal) =>
    followTasks(demo, orders, signal),
  );
  const tasks = await step('The webhooks', webhookSeconds, (signal) => checkWebhooks(demo, orders, signal));
  await step('The results, from each resultUrl', requestSeconds, (signal) => saveResults(demo, orders, tasks, signal));
  const after = await step('The first request again, with the same Idempotency-Key', requestSeconds, (signal) =>
    repeatFirst(demo, orders[0], signal),
  );
  await step('The account after', requestSeconds, async () => {
    showLedger(demo, after);
    checkLedger(demo, before, after, tasks);
  });
}

function showResult({ screen }: Demo, { sentence, problems }: CheckResult): void {
  const mark = problems?.length === 0 ? screen.style('green', '✓') : screen.style('red', '✗');
  screen.line(`${mark} ${sentence}${problems ? '' : ' (not reached)'}`);
  if (problems?.length) screen.line(screen.style('red', `  ${problems.join('; ')}`));
}

/** Whether every check was true. @throws the reason of `stop` when that is aborted. */
export async function runDemo(demo: Demo, stop: AbortSignal): Promise<boolean> {
  const { checks, screen } = demo;
  try {
    await performSteps(demo, stop);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    screen.line(screen.style('red', `This step failed: ${error.message}.`));
  }
  const results = checks.results();
  const untrue = results.filter(({ problems }) => problems?.length !== 0);
  screen.heading('What was checked');
  for (const result of results) showResult(demo, result);
  screen.line('');
  screen.line(
    untrue.length === 0
      ? screen.style('green', `All ${results.length} are true.`)
      : screen.style('red', `${untrue.length} of ${results.length} are not true.`),
  );
  return untrue.length === 0;
}
