/** Step Functions' operations: the request, effect and response of each. */
import * as z from 'zod';
import { type Json, parseJson } from '../json.ts';
import type { Execution } from './execution.ts';
import type { Executions } from './executions.ts';
import { StateMachineError } from './state-machine-error.ts';
import { TaskFailure } from './task-failure.ts';
import type { TaskTokens } from './task-tokens.ts';

/** Takes the request's body and returns the response's. @throws StateMachineError */
export type Operation = (body: Json) => object;

export function stepFunctionsOperations(executions: Executions, tokens: TaskTokens): ReadonlyMap<string, Operation> {
  return new Map([
    ['StartExecution', operation(startRequest, (request) => started(executions.start(request)))],
    ['DescribeExecution', operation(executionRequest, (request) => described(executions.find(request.executionArn)))],
    [
      'GetExecutionHistory',
      operation(historyRequest, ({ executionArn, reverseOrder }) => {
        const events = executions.find(executionArn).history.events();
        return { events: reverseOrder ? events.toReversed() : events };
      }),
    ],
    [
      'StopExecution',
      operation(stopRequest, ({ executionArn, error, cause }) => {
        const execution = executions.find(executionArn);
        execution.stop(error, cause);
        return { stopDate: seconds(execution.end?.stoppedAt ?? 0) };
      }),
    ],
    [
      'SendTaskSuccess',
      operation(successRequest, ({ taskToken, output }) => {
        const result = outputOf(output);
        tokens.take(taskToken).succeed(result);
        return {};
      }),
    ],
    [
      'SendTaskFailure',
      operation(failureRequest, ({ taskToken, error = 'States.TaskFailed', cause = '' }) => {
        tokens.take(taskToken).fail(new TaskFailure(error, cause));
        return {};
      }),
    ],
  ]);
}

const startRequest = z.object({
  stateMachineArn: z.string(),
  name: z.string().optional(),
  input: z.string().optional(),
});
const executionRequest = z.object({ executionArn: z.string() });
const historyRequest = executionRequest.extend({ reverseOrder: z.boolean().optional() });
const stopRequest = executionRequest.extend({ error: z.string().optional(), cause: z.string().optional() });
const successRequest = z.object({ taskToken: z.string(), output: z.string() });
const failureRequest = z.object({
  taskToken: z.string(),
  error: z.string().max(256).optional(),
  cause: z.string().max(32_768).optional(),
});

const operation =
  <Request>(schema: z.ZodType<Request>, perform: (request: Request) => object): Operation =>
  (body) => {
    const request = schema.safeParse(body);
    if (!request.success) throw new StateMachineError('ValidationException', z.prettifyError(request.error));
    return perform(request.data);
  };

function outputOf(output: string): Json {
  try {
    return parseJson(output);
  } catch {
    throw new StateMachineError('InvalidOutput', 'Invalid Output: not valid JSON');
  }
}

const seconds = (milliseconds: number): number => milliseconds / 1000;

const started = ({ executionArn, startedAt }: Execution): object => ({ executionArn, startDate: seconds(startedAt) });

function described({ executionArn, stateMachineArn, name, input, startedAt, end }: Execution): object {
  const status = end?.status ?? 'RUNNING';
  const identity = { executionArn, stateMachineArn, name, input, inputDetails: { included: true }, status };
  if (!end) return { ...identity, startDate: seconds(startedAt) };
  const { output, error, cause, stoppedAt } = end;
  return {
    ...identity,
    startDate: seconds(startedAt),
    stopDate: seconds(stoppedAt),
    ...(output !== undefined && { output, outputDetails: { included: true } }),
    ...(error !== undefined && { error }),
    ...(cause !== undefined && { cause }),
  };
}
