/** The service's functions over gated ports, called as Lambda would call them. */
import type { APIGatewayProxyResult } from 'aws-lambda';
import { deliverWebhook } from '../../../functions/background/deliver-webhook.ts';
import { sweepTasks } from '../../../functions/background/sweep-tasks.ts';
import { generateCreativeVideo } from '../../../functions/generate/generate-creative-video.ts';
import { generateVoice } from '../../../functions/generate/generate-voice.ts';
import { receiveEngineCallback } from '../../../functions/inbound/receive-engine-callback.ts';
import { cancelTask } from '../../../functions/tasks/cancel-task.ts';
import { askEngine } from '../../../functions/workflow/ask-engine.ts';
import { finalize } from '../../../functions/workflow/finalize.ts';
import { settleExecution } from '../../../functions/workflow/settle-execution.ts';
import { type Invoke, lambdaHost } from '../../../infra/local/lambda-host.ts';
import { filesContracts } from '../../../shared/contracts/files.ts';
import { generateContracts } from '../../../shared/contracts/generate.ts';
import { studioContracts } from '../../../shared/contracts/studio.ts';
import { tasksContracts } from '../../../shared/contracts/tasks.ts';
import {
  AskEngineInput,
  DeliverWebhookMessage,
  ExecutionEnded,
  FinalizeInput,
  SweepInput,
} from '../../../shared/contracts/workflow.ts';
import { createFile } from '../../../shared/domain/files/create-file.ts';
import { createAvatar } from '../../../shared/domain/studio/create-avatar.ts';
import { createProduct } from '../../../shared/domain/studio/create-product.ts';
import { generationLambda } from '../../../shared/runtime/generation-lambda.ts';
import { inboundLambda } from '../../../shared/runtime/inbound-lambda.ts';
import { operationLambda } from '../../../shared/runtime/operation-lambda.ts';
import { queueLambda } from '../../../shared/runtime/queue-lambda.ts';
import { stepLambda } from '../../../shared/runtime/step-lambda.ts';
import type { World } from '../world/world.ts';
import type { gatedPorts } from './gated-ports.ts';
import type { Gates } from './gates.ts';

type Ports = ReturnType<typeof gatedPorts>;

/** Operations that wait for each other, and let time go by meanwhile. */
const creationsOver = (ports: Ports, { pass }: Gates, clock: World['clock']) => {
  const pause = (milliseconds: number) => pass('pause', async () => clock.advance(milliseconds));
  return {
    createFile: operationLambda(
      filesContracts.createFile,
      ({ actor: { accountId }, body, idempotency }, context) =>
        createFile({ ...context, pause }, { accountId, requested: body, idempotency }),
      ports,
    ),
    createStudioProduct: operationLambda(
      studioContracts.createStudioProduct,
      ({ actor: { accountId }, body, idempotency }, context) =>
        createProduct({ ...context, pause }, { accountId, body, idempotency }),
      ports,
    ),
    createStudioAvatar: operationLambda(
      studioContracts.createStudioAvatar,
      ({ actor: { accountId }, body, idempotency }, context) =>
        createAvatar({ ...context, pause }, { accountId, body, idempotency }),
      ports,
    ),
  };
};

const handlersOver = (ports: Ports, gates: Gates, clock: World['clock']) => ({
  ...creationsOver(ports, gates, clock),
  generateVoice: generationLambda(generateContracts.generateVoice, generateVoice, ports),
  generateCreativeVideo: generationLambda(generateContracts.generateCreativeVideo, generateCreativeVideo, ports),
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

export function gatedFunctions(ports: Ports, gates: Gates, { context, clock }: World): GatedFunctions {
  const handlers = Object.entries(handlersOver(ports, gates, clock));
  const bound = handlers.map(([name, definition]) => [name, { handler: definition(context), timeoutSeconds }]);
  const invoke = lambdaHost(Object.fromEntries(bound));
  return {
    invoke,
    request: (name, request) => invoke(name, eventOf(request)) as Promise<APIGatewayProxyResult>,
  };
}
