/** Calls functions as Lambda does: events and results pass through JSON, with a time limit and Lambda's context. */
import type { Context } from 'aws-lambda';
import { systemClock } from '../../shared/platform/clock.ts';
import { randomIds } from '../../shared/platform/ids.ts';
import { throughJson } from './json.ts';
import { localArn } from './local-arn.ts';

export type LambdaHandler = (event: never, context: Context) => Promise<unknown>;

export interface LambdaFunction {
  readonly handler: LambdaHandler;
  readonly timeoutSeconds: number;
}

/** Calls a function. @throws FunctionNotFound, FunctionTimedOut, UnserializableResult or the handler's own error */
export type Invoke = (name: string, event: unknown) => Promise<unknown>;

/** Errors have AWS's names, because state machines match on them. */
export class FunctionNotFound extends Error {
  override readonly name = 'Lambda.ResourceNotFoundException';
  constructor(functionName: string) {
    super(`Function not found: ${functionName}`);
  }
}

export class FunctionTimedOut extends Error {
  override readonly name = 'Sandbox.Timedout';
  constructor(timeoutSeconds: number) {
    super(`Task timed out after ${timeoutSeconds.toFixed(2)} seconds`);
  }
}

export class UnserializableResult extends Error {
  override readonly name = 'Runtime.MarshalError';
  constructor(cause: unknown) {
    super('Unable to stringify response body', { cause });
  }
}

const ids = randomIds(systemClock);

export function lambdaHost(functions: Readonly<Record<string, LambdaFunction>>): Invoke {
  return async (name, event) => {
    const lambda = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (!lambda) throw new FunctionNotFound(name);
    const received = throughJson(event);
    const deadline = systemClock.now() + lambda.timeoutSeconds * 1000;
    const result = await withinSeconds(lambda.timeoutSeconds, () =>
      lambda.handler(received as never, contextOf(name, deadline)),
    );
    return serialized(result);
  };
}

/** Ignores the result of a call that timed out, because nothing can stop it. */
async function withinSeconds(timeoutSeconds: number, call: () => Promise<unknown>): Promise<unknown> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new FunctionTimedOut(timeoutSeconds)), timeoutSeconds * 1000);
  timer.unref();
  try {
    return await Promise.race([Promise.try(call), timedOut]);
  } catch (error) {
    throw error instanceof Error ? error : Object.assign(new Error(String(error)), { name: typeof error });
  } finally {
    clearTimeout(timer);
  }
}

function serialized(result: unknown): unknown {
  try {
    return throughJson(result);
  } catch (error) {
    throw new UnserializableResult(error);
  }
}

function contextOf(functionName: string, deadline: number): Context {
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: localArn('lambda', `function:${functionName}`),
    memoryLimitInMB: '512',
    awsRequestId: ids.next(),
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, deadline - systemClock.now()),
    done: ignore,
    fail: ignore,
    succeed: ignore,
  };
}

const ignore = (): void => undefined;
