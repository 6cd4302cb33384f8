/** The integrations that a Task's Resource can call. */
import * as z from 'zod';
import { type Json, throughJson } from '../json.ts';
import type { Invoke } from '../lambda-host.ts';
import { TaskFailure } from './task-failure.ts';

/** Calls the integration. @throws TaskFailure with AWS's error name */
export type TaskIntegration = (parameters: Json) => Promise<Json>;

const invokeParameters = z.object({ FunctionName: z.string(), Payload: z.unknown() });

/** Integrations by resource, without a suffix such as `.waitForTaskToken`. */
export function taskIntegrations(invoke: Invoke): ReadonlyMap<string, TaskIntegration> {
  return new Map<string, TaskIntegration>([
    [
      'arn:aws:states:::lambda:invoke',
      async (parameters) => {
        const { FunctionName, Payload } = parsed(invokeParameters, parameters);
        const result = await invoke(FunctionName, Payload ?? {}).catch((error: unknown) => {
          throw functionFailure(error);
        });
        return { StatusCode: 200, Payload: throughJson(result) };
      },
    ],
  ]);
}

function parsed<T>(schema: z.ZodType<T>, parameters: Json): T {
  const result = schema.safeParse(parameters);
  if (result.success) return result.data;
  throw new TaskFailure('States.ParameterPathFailure', z.prettifyError(result.error));
}

/** The failure of a function: Lambda reports it as JSON, which Step Functions passes on as the Cause. */
const functionFailure = (error: unknown): TaskFailure =>
  new TaskFailure(
    nameOf(error),
    JSON.stringify({ errorMessage: messageOf(error), errorType: nameOf(error), trace: [] }),
  );

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
