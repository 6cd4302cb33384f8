/** Plays a scenario with the client, and returns how the client's behavior differs from it. */
import { expect } from 'vitest';
import type { Client, ClientOptions } from '../../client/client.ts';
import type { InstalledClient } from './installed-client.ts';
import type { Scenario, Step } from './scenario.ts';
import { scenarioClock } from './scenario-clock.ts';
import { startScenarioServer } from './scenario-server.ts';

type Request = Readonly<Record<string, unknown>>;
type Options = { readonly signal: AbortSignal; readonly onProgress?: (progress: unknown) => void };
type AnyCall = (request: Request) => Promise<unknown>;

const rowsOf = async (rows: AsyncIterable<unknown>): Promise<unknown[]> => {
  const found: unknown[] = [];
  for await (const row of rows) found.push(row);
  return found;
};

const contentOf = ({ text, bytes }: Request): Blob =>
  new Blob([typeof text === 'string' ? text : new Uint8Array(Number(bytes))]);

function run(api: Client, { call, request = {} }: Step, options: Options): Promise<unknown> {
  const { taskId, taskIds, text, bytes, ...others } = request as Request & { taskId: string; taskIds: string[] };
  const given = { ...others, ...options };
  if (call === 'waitForTask') return api.waitForTask(taskId, given);
  if (call === 'waitForTasks') return api.waitForTasks(taskIds, given);
  if (call === 'upload') return api.files.upload(contentOf({ text, bytes }), given);
  const [operation = '', variant] = call.split('.');
  const found = (api as unknown as Readonly<Record<string, AnyCall & Readonly<Record<string, AnyCall>>>>)[operation];
  if (variant === 'each') return rowsOf(found?.each?.(given) as unknown as AsyncIterable<unknown>);
  return (variant === 'dryRun' ? found?.dryRun : found)?.(given) ?? Promise.reject(new Error(`no call ${call}`));
}

/** The error in the format in which scenarios describe errors. */
function describeError({ api }: InstalledClient, error: unknown, aborted: boolean) {
  const kinds = {
    api: api.ApiError,
    connection: api.ConnectionError,
    timeout: api.TimeoutError,
    'unexpected-response': api.UnexpectedResponseError,
    'task-failed': api.TaskFailedError,
  };
  const kind = Object.entries(kinds).find(([, type]) => error instanceof type)?.[0];
  const { message, ...members } = error as Error;
  return { ...members, message, kind: kind ?? (aborted ? 'aborted' : `unknown: ${String(error)}`) };
}

export async function playScenario(installed: InstalledClient, { options = {}, random = 0.5, steps }: Scenario) {
  let abortAt: Step['abort'];
  let controller = new AbortController();
  const clock = scenarioClock(random, (count) => {
    if (abortAt?.wait === count) controller.abort();
  });
  const server = await startScenarioServer((request, isHanging) => {
    if (isHanging) clock.timeOut();
    else if (abortAt?.request === request) controller.abort();
  });
  const api = installed.api.client({
    baseUrl: server.url,
    token: 'av_test',
    clock,
    ...(options as Partial<ClientOptions>),
  });
  try {
    for (const step of steps) {
      controller = new AbortController();
      abortAt = step.abort;
      if (abortAt?.before) controller.abort();
      clock.waits.length = 0;
      server.play(step.exchanges);
      const progress: number[] = [];
      const onProgress = (given: unknown) => {
        const { progress: percent, ended } = given as { readonly progress?: number; readonly ended?: number };
        progress.push(percent ?? ended ?? Number.NaN);
      };
      const [outcome] = await Promise.allSettled([run(api, step, { signal: controller.signal, onProgress })]);
      const context = JSON.stringify(outcome);
      expect(server.problems(), context).toEqual([]);
      if (step.throws) {
        const error = outcome.status === 'rejected' ? outcome.reason : undefined;
        expect(describeError(installed, error, controller.signal.aborted)).toMatchObject(step.throws);
      } else {
        const expected = JSON.parse(JSON.stringify(step.returns ?? {}).replaceAll('{{server}}', server.url)) as object;
        expect(outcome).toMatchObject({ status: 'fulfilled', value: expected });
      }
      if (step.progress) expect(progress).toEqual(step.progress);
      if (step.waits)
        expect(clock.waits.map((seconds, index) => isBetween(seconds, step.waits?.[index]))).toEqual(
          step.waits.map(() => true),
        );
    }
  } finally {
    await server.close();
  }
}

const isBetween = (seconds: number, [min, max]: readonly [number, number] = [Number.NaN, 0]): boolean | string =>
  (seconds > min - 1e-6 && seconds < max + 1e-6) || `waited ${seconds}`;
