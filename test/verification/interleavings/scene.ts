/** The setting of concurrent operations: one account, its token, its tasks, and the functions that act on them. */
import { type BearerToken, signedReport, type World } from '../world/world.ts';
import type { FunctionName, GatedFunctions } from './gated-functions.ts';
import type { gatedPorts } from './gated-ports.ts';
import type { Gates } from './gates.ts';
import type { StagedFile } from './staged-files.ts';

export interface Scene {
  readonly world: World;
  readonly gates: Gates;
  readonly ports: ReturnType<typeof gatedPorts>;
  readonly functions: GatedFunctions;
  readonly accountId: string;
  readonly token: BearerToken;
  /** The account's uploads. */
  readonly files: StagedFile[];
}

/** The parts of a response that the checks compare. */
export interface ClientResponse {
  /** The error's code, or the status. */
  readonly code: string;
  readonly text: string;
  readonly taskId: string;
  readonly isReplay: boolean;
}

interface Body {
  readonly error?: { readonly code: string };
  readonly data?: { readonly taskId?: string; readonly id?: string };
}

export async function request(
  { functions, token }: Scene,
  name: FunctionName,
  { headers = {}, ...more }: Parameters<GatedFunctions['request']>[1],
): Promise<ClientResponse> {
  const authorized = { authorization: `Bearer ${token.token}`, 'content-type': 'application/json', ...headers };
  const { statusCode, body, headers: received } = await functions.request(name, { ...more, headers: authorized });
  const { data, error } = JSON.parse(body) as Body;
  return {
    code: error?.code ?? String(statusCode),
    text: body,
    taskId: data?.taskId ?? '',
    isReplay: received?.['Idempotent-Replayed'] === 'true',
  };
}

export interface Order {
  readonly key?: string | undefined;
  readonly cost: number;
  readonly webhook: boolean;
  /** By default, a voice. */
  readonly taskType?: 'video-creative';
}

const charactersPerCredit = 50;

const voice = ({ cost }: Order) => ({ text: 'a'.repeat(cost * charactersPerCredit), voice: 'bill' });

/** The smallest and shortest one, which costs 16 credits. */
const video = { prompt: 'A cup of coffee.', durationSec: 4, resolution: '480p', aspectRatio: '1:1' };

export const create = (scene: Scene, order: Order): Promise<ClientResponse> => {
  const { key, taskType, webhook } = order;
  return request(scene, taskType ? 'generateCreativeVideo' : 'generateVoice', {
    headers: { ...(key !== undefined && { 'idempotency-key': key, 'x-client-reference': key }) },
    body: JSON.stringify({
      ...(taskType ? video : voice(order)),
      ...(webhook && { callbackUrl: scene.world.callbackUrl }),
    }),
  });
};

export interface StudioOrder {
  readonly operationId: 'createFile' | 'createStudioProduct' | 'createStudioAvatar';
  readonly key?: string | undefined;
  readonly body: object;
}

export async function studioRequest(scene: Scene, { operationId, key, body }: StudioOrder) {
  const headers = { ...(key !== undefined && { 'idempotency-key': key }) };
  const received = await request(scene, operationId, { headers, body: JSON.stringify(body) });
  return { ...received, id: (JSON.parse(received.text) as Body).data?.id ?? '' };
}

/** An engine's callback, taken as it comes in. */
export async function callBack({ functions, world }: Scene, taskId: string, report: object): Promise<number> {
  const { engine, address, headers, body } = signedReport(world.context, taskId, report);
  const { statusCode } = await functions.request('receiveEngineCallback', {
    headers,
    params: { engine, address },
    body,
  });
  return statusCode;
}

/** The token of a new attempt, if the task's execution still waits for an outcome. */
export function tokenFor({ world: { workflow } }: Scene, taskId: string): string {
  const execution = workflow.of(taskId);
  return execution?.status === 'RUNNING' ? workflow.issueToken(execution) : 'no waiting execution';
}

export const ask = (scene: Scene, taskId: string): Promise<unknown> =>
  scene.functions.invoke('askEngine', { taskId, token: tokenFor(scene, taskId) });

export async function deliver({ functions }: Scene, message: string): Promise<boolean> {
  const event = { Records: [{ messageId: 'm', body: message }] };
  const { batchItemFailures } = (await functions.invoke('deliverWebhook', event)) as { batchItemFailures: unknown[] };
  return batchItemFailures.length === 0;
}
