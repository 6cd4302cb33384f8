import type { Context } from 'aws-lambda';
import { expect, it } from 'vitest';
import {
  FunctionNotFound,
  FunctionTimedOut,
  type LambdaHandler,
  lambdaHost,
  UnserializableResult,
} from '../../../infra/local/lambda-host.ts';

const hostOf = (handler: LambdaHandler, timeoutSeconds = 5) => lambdaHost({ subject: { handler, timeoutSeconds } });

it('the Lambda host passes the function a copy of the event after a JSON round trip', async () => {
  const sent = { at: new URL('http://a/'), missing: undefined, list: [1] };
  const seen: unknown[] = [];
  await hostOf(async (event: typeof sent) => {
    seen.push(structuredClone(event));
    event.list.push(2);
  })('subject', sent);
  expect(seen).toStrictEqual([{ at: 'http://a/', list: [1] }]);
  expect(sent.list).toStrictEqual([1]);
});

it('the Lambda host returns the function’s result after a JSON round trip, and null for undefined', async () => {
  expect(await hostOf(async () => ({ a: undefined, b: 1 }))('subject', {})).toStrictEqual({ b: 1 });
  expect(await hostOf(async () => undefined)('subject', {})).toBeNull();
});

it('the Lambda host rejects a result that cannot be serialized, with Lambda’s error name', async () => {
  const invoke = hostOf(async () => 1n);
  await expect(invoke('subject', {})).rejects.toThrow(UnserializableResult);
  await expect(invoke('subject', {})).rejects.toMatchObject({ name: 'Runtime.MarshalError' });
});

it('the Lambda host passes on the function’s own error, whether it rejects or throws synchronously', async () => {
  const error = new TypeError('no');
  await expect(hostOf(() => Promise.reject(error))('subject', {})).rejects.toBe(error);
  await expect(
    hostOf(() => {
      throw error;
    })('subject', {}),
  ).rejects.toBe(error);
});

it('the Lambda host stops waiting for a function that exceeds its time limit, and ignores its later result', async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  const call = hostOf(() => promise, 0.02)('subject', {});
  await expect(call).rejects.toThrow(FunctionTimedOut);
  await expect(call).rejects.toMatchObject({
    name: 'Sandbox.Timedout',
    message: 'Task timed out after 0.02 seconds',
  });
  reject(new Error('late'));
});

it.each(['missing', 'toString', '__proto__'])('the Lambda host does not find a function named %s', async (name) => {
  await expect(hostOf(async () => 1)(name, {})).rejects.toThrow(FunctionNotFound);
});

it('the Lambda host passes the function its name, a unique request id and the remaining time', async () => {
  const contexts: { name: string; id: string; remainingMs: number }[] = [];
  const invoke = hostOf(async (_event: unknown, context: Context) => {
    contexts.push({
      name: context.functionName,
      id: context.awsRequestId,
      remainingMs: context.getRemainingTimeInMillis(),
    });
  }, 5);
  await invoke('subject', {});
  await invoke('subject', {});
  expect(contexts.map((context) => context.name)).toStrictEqual(['subject', 'subject']);
  expect(new Set(contexts.map((context) => context.id)).size).toBe(2);
  for (const { remainingMs } of contexts) {
    expect(remainingMs).toBeGreaterThan(0);
    expect(remainingMs).toBeLessThanOrEqual(5000);
  }
});
