/** Runs all steps of a demo. */
import { ApiError } from '../../client/client.ts';
import type { CheckResult } from './checks.ts';
import type { Demo } from './demo.ts';
import { performShow } from './perform-show.ts';
import type { Show, Step } from './show.ts';
import { withinSeconds } from './time-limit.ts';

/** A step failed, and later steps cannot run without it. */
class StepFailed extends Error {
  override readonly name = 'StepFailed';
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return `the service responded ${error.status} ${error.code}, ${error.message}`;
  const { message, cause } = error as Error;
  // The message of fetch only says that it failed; its cause says why.
  return error instanceof TypeError && cause instanceof Error ? `${message}, ${cause.message}` : message;
}

const stepsOf =
  ({ screen }: Demo, stop: AbortSignal): Step =>
  async (title, seconds, work) => {
    screen.heading(title);
    try {
      return await withinSeconds(seconds, stop, work);
    } catch (error) {
      stop.throwIfAborted();
      throw new StepFailed(reasonOf(error), { cause: error });
    }
  };

function showResult({ screen }: Demo, { sentence, problems }: CheckResult): void {
  const mark = problems?.length === 0 ? screen.style('green', '✓') : screen.style('red', '✗');
  screen.line(`${mark} ${sentence}${problems ? '' : ' (not reached)'}`);
  if (problems?.length) screen.line(screen.style('red', `  ${problems.join('; ')}`));
}

/** Returns whether every check passed. @throws the reason of `stop` if it aborts */
export async function runDemo(demo: Demo, show: Show, stop: AbortSignal): Promise<boolean> {
  const { checks, screen } = demo;
  try {
    await performShow(demo, show, stepsOf(demo, stop));
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    screen.line(screen.style('red', `This step failed: ${error.message}.`));
  }
  const results = checks.results();
  const untrue = results.filter(({ problems }) => problems?.length !== 0);
  screen.heading('Checks');
  for (const result of results) showResult(demo, result);
  screen.line('');
  screen.line(
    untrue.length === 0
      ? screen.style('green', `All ${results.length} passed.`)
      : screen.style('red', `${untrue.length} of ${results.length} failed.`),
  );
  return untrue.length === 0;
}
