/** The service's functions over gated ports, called as Lambda would call them. */
import type { APIGatewayProxyResult } from 'aws-lambda';
import { deliverWebhook } from '../../../functions/background/deliver-webhook.ts';
import { sweepTasks } from '../../../functions/background/sweep-tasks.ts';
import { generateVoice } from '../../../functions/generate/generate-voice.ts';
import { receiveEngineCallback } from '../../../functions/inbound/receive-engine-callback.ts';
import { cancelTask } from '../../../functions/tasks/cancel-task.ts';
import { askEngine } from '../../../functions/workflow/ask-engine.ts';
import { finalize } from '../../../functions/workflow/finalize.ts';
import { settleExecution } from '../../../functions/workflow/settle-execution.ts';
import { type Invoke, lambdaHost } from '../../../infra/local/lambda-host.ts';
import { generateContracts } from '../../../shared/contracts/generate.ts';
import { tasksContracts } from '../../../shared/contracts/tasks.ts';
import {
  AskEngineInput,
  DeliverWebhookMessage,
  ExecutionEnded,
  FinalizeInput,
  SweepInput,
} from '../../../shared/contracts/workflow.ts';
import type { Context } from '../../../shared/runtime/context.ts';
import { generationLambda } from '../../../shared/runtime/generation-lambda.ts';
import { inboundLambda } from '../../../shared/runtime/inbound-lambda.ts';
import { operationLambda } from '../../../shared/runtime/operation-lambda.ts';
import { queueLambda } from '../../../shared/runtime/queue-lambda.ts';
import { stepLambda } from '../../../shared/runtime/step-lambda.ts';
import type { gatedPorts } from './gated-ports.ts';

type Ports = ReturnType<typeof gatedPorts>;

const handlersOver = (ports: Ports) => ({
  generateVoice: generationLambda(generateContracts.generateVoice, generateVoice, ports),
  cancelTask: operationLambda(tasksContracts.cancelTask, cancelTask, ports),
  receiveEngineCallback: inboundLambda('receiveEngineCallback', receiveEngineCallback, ports),
  askEngine: stepLambda('askEngine', AskEngineInput, askEngine, ports),
  finalize: stepLambda('finalize', FinalizeInput, finalize, ports),
  settleExecution: stepLambda('settleExecution', ExecutionEnded, settleExecution, ports),
  sweepTasks: stepLambda('sweepTasks', SweepInput, sweepTasks, ports),
  deliverWebhook: queueLambda('deliverWebhook', DeliverWebhookMessage, deliverWebhook, ports),
});

export type FunctionName = keyof ReturnType<typeof handlersOver>;

export interface HttpRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface GatedFunctions {
  readonly invoke: Invoke;
  request(name: FunctionName, request: HttpRequest): Promise<APIGatewayProxyResult>;
}

/** A function that waits at a gate must not time out. */
const timeoutSeconds = 600;

/** The part of a gateway's event that the functions read. */
const eventOf = ({ headers = {}, params = {}, body }: HttpRequest) => ({
  headers,
  multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
  multiValueQueryStringParameters: null,
  pathParameters: params,
  body: body ?? null,
  isBase64Encoded: false,
  requestContext: { requestId: 'request' },
});

export function gatedFunctions(ports: Ports, context: Context): GatedFunctions {
  const handlers = Object.entries(handlersOver(ports));
  const bound = handlers.map(([name, definition]) => [name, { handler: definition(context), timeoutSeconds }]);
  const invoke = lambdaHost(Object.fromEntries(bound));
  return {
    invoke,
    request: (name, request) => invoke(name, eventOf(request)) as Promise<APIGatewayProxyResult>,
  };
}
