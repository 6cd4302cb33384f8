/** An engine that puts secrets into every response: its own messages, its key and its input. */
import { createHmac } from 'node:crypto';
import { systemClock } from '../../../shared/platform/clock.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import type { ScriptedJob, ScriptedResponse } from '../../support/scripted-engine.ts';
import { sealCanary } from './canaries.ts';
import type { RecordedResponse } from './raw-client.ts';
import type { World } from './world.ts';

/** The outcome of a task, as requested by a word in the text that is to be spoken. */
export type Plan =
  | 'done'
  | 'failed'
  | 'rejected'
  | 'broken'
  | 'nonsense'
  | 'garbled'
  | 'unasked'
  | 'lost'
  | 'elsewhere'
  | 'silent';

const planOf = ({ input }: ScriptedJob): Plan => /plan (\w+)/.exec(JSON.stringify(input))?.[1] as Plan;

const talk = ({ words, service }: World, job: ScriptedJob) => ({
  code: words.engineWords,
  message: `${words.engineWords}: ${JSON.stringify(job.input)}`,
  key: service.environment[settingVariables.offlineEngineKey],
});

export function playEngine(world: World): void {
  const { engine } = world;
  const accepted = (job: ScriptedJob): ScriptedResponse => ({
    status: 202,
    body: { ...engine.report(job, 'queued'), error: talk(world, job) },
  });
  engine.play({
    submit(job) {
      if (job.callbackUrl) world.canaries.push(sealCanary(job.callbackUrl));
      switch (planOf(job)) {
        case 'rejected':
          return { status: 422, body: { error: talk(world, job) } };
        case 'broken':
          return { status: 500, body: { error: talk(world, job) } };
        case 'nonsense':
          return job.submissions === 1 ? { status: 202, body: talk(world, job) } : accepted(job);
        case 'garbled':
          if (job.submissions > 1) world.lines.engine.mend();
          return accepted(job);
        default:
          return accepted(job);
      }
    },
    check(job) {
      if (planOf(job) === 'lost' && job.submissions === 1) return { status: 404, body: { error: talk(world, job) } };
      if (planOf(job) === 'unasked') return { status: 500, body: { error: talk(world, job) } };
      return { status: 200, body: engine.report(job, 'running', { progress: 10, error: talk(world, job) }) };
    },
  });
}

const outputsOf = (report: object) => (report as { readonly outputs: readonly { readonly url: string }[] }).outputs;

/** The engine's report on the end of a job. */
export const endOf = (world: World, job: ScriptedJob): object => {
  const { engine, lines, words } = world;
  if (planOf(job) === 'failed') return engine.report(job, 'failed', { error: talk(world, job) });
  const origin = planOf(job) === 'elsewhere' ? 'https://media.example.com' : lines.engine.url;
  const outputs = outputsOf(engine.done(job)).map(({ url, ...output }) => {
    const { pathname, search } = new URL(url);
    return { ...output, url: `${origin}${pathname}${search}${search ? '&' : '?'}${words.resultAddress}` };
  });
  return engine.report(job, 'done', { progress: 100, outputs, error: talk(world, job) });
};

interface Callback {
  /** The reference; by default that of the job. */
  readonly address?: string;
  readonly body?: string;
  /** The signing key; by default the engine's own. */
  readonly signature?: string;
}

/** Sends a callback like the engine, or like an attacker who impersonates it. */
export function callBack(world: World, job: ScriptedJob, how: Callback = {}): Promise<RecordedResponse> {
  const { address = job.callbackUrl ?? '', body = JSON.stringify(endOf(world, job)) } = how;
  const key = world.service.environment[settingVariables.offlineEngineKey] ?? '';
  const seconds = String(Math.floor(systemClock.now() / 1000));
  const signature = how.signature ?? createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex');
  const headers = [['x-engine-timestamp', seconds] as const, ['x-engine-signature', signature] as const];
  return world.ask('POST', new URL(address, world.service.url).pathname, { headers, body });
}
