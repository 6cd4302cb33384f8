/** Functions that crash in the middle of their work: another invocation completes it. */
import { expect, test } from 'vitest';
import { wrapFunctions } from '../../infra/local/functions.ts';
import type { LambdaHandler } from '../../infra/local/lambda-host.ts';
import { eventually } from '../support/eventually.ts';
import { serviceInTests } from '../support/test-service.ts';

/** How an invocation fails, by how often the function has been called for a task. */
type Crash = (name: 'before' | 'after', call: number) => boolean;

const crashes = new Map<string, Crash>();
const calls = new Map<string, number>();

/** Fails before or after the function has done its work, like Lambda: with an error without details. */
const mortal = (functionName: string, handler: LambdaHandler): LambdaHandler => {
  const dying = async (event: { taskId: string }, context: never): Promise<unknown> => {
    const key = `${functionName}:${event.taskId}`;
    const call = (calls.get(key) ?? 0) + 1;
    calls.set(key, call);
    const crash = crashes.get(functionName);
    if (crash?.('before', call)) throw new Error('died before');
    const result = await (handler as (event: unknown, context: unknown) => Promise<unknown>)(event, context);
    if (crash?.('after', call)) throw new Error('died after');
    return result;
  };
  return dying as unknown as LambdaHandler;
};

const functions = wrapFunctions((name, handler) =>
  name === 'askEngine' || name === 'finalize' ? mortal(name, handler) : handler,
);
const host = await serviceInTests({ functions });
host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });

const speak = (token: string) =>
  host.speak(token, { text: 'Uma frase.', voice: 'eric', callbackUrl: host.receiver.url });

const notifiedOnce = async (taskId: string) => {
  await eventually('the delivery', () => host.receiver.of(taskId)[0]);
  expect(host.receiver.of(taskId)).toHaveLength(1);
};

test.for([
  ['askEngine', 'at its start', 'before'],
  ['askEngine', 'at its end', 'after'],
  ['finalize', 'at its start', 'before'],
  ['finalize', 'at its end', 'after'],
] as const)(
  'when the step %s crashes once %s, it is retried and the task is completed once',
  async ([name, , when]) => {
    crashes.clear();
    crashes.set(name, (at, call) => at === when && call === 1);
    const account = await host.account({ credits: 5 });
    const taskId = await speak(account.token);
    expect(await host.ended(account.token, taskId)).toMatchObject({ status: 'completed', creditsUsed: 1 });
    expect((await host.engine.jobOf(taskId)).submissions).toBe(1);
    await notifiedOnce(taskId);
    await host.audit();
  },
);

test.for(['askEngine', 'finalize'] as const)(
  'when the step %s always crashes, the task fails and is refunded',
  async (name) => {
    crashes.clear();
    crashes.set(name, (at) => at === 'before');
    const account = await host.account({ credits: 5 });
    const taskId = await speak(account.token);
    const task = await host.ended(account.token, taskId);
    await notifiedOnce(taskId);
    expect(task).toMatchObject({ status: 'failed', creditsUsed: 1, creditsRefunded: 1 });
    expect(task.error?.code).toBe('INTERNAL_ERROR');
    await host.audit();
  },
);
