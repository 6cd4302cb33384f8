/** A customer's back end: it requests speech, and repeats a request without a response with the same key. */
import type { OperationId } from '../../../shared/contracts/registry.ts';
import type { Task } from '../../../shared/contracts/tasks.ts';
import { type Call, send, type TestResponse } from '../../support/test-service.ts';

export interface GenerationRequest {
  /** The idempotency key, which is also the client reference. */
  readonly key: string;
  readonly text: string;
  readonly callbackUrl?: string;
}

export interface Accepted {
  readonly taskId: string;
  /** Whether it is the stored response to an earlier request. */
  readonly isReplay: boolean;
}

/** The address of the service, and the token. */
export interface Front {
  readonly url: string;
  readonly token: string;
}

/** The response; undefined if the service crashed or is unreachable. */
const ask = ({ url, token }: Front, operationId: OperationId, call: Call): Promise<TestResponse | undefined> =>
  send(url, operationId, { token, ...call }).catch((error: unknown) => {
    if (error instanceof TypeError) return undefined;
    throw error;
  });

/** Requests speech. @throws for a response other than 202 */
export async function generate(
  front: Front,
  { key, text, callbackUrl }: GenerationRequest,
): Promise<Accepted | undefined> {
  const headers = { 'idempotency-key': key, 'x-client-reference': key };
  const body = { text, voice: 'sarah', ...(callbackUrl && { callbackUrl }) };
  const response = await ask(front, 'generateVoice', { headers, body });
  if (!response) return undefined;
  if (response.status !== 202) throw new Error(`a generation was rejected with ${response.text}`);
  const { taskId } = response.body.data as { taskId: string };
  return { taskId, isReplay: response.headers['idempotent-replayed'] === 'true' };
}

/** The status of the response; undefined if there was none. */
export const cancel = async (front: Front, taskId: string): Promise<number | undefined> =>
  (await ask(front, 'cancelTask', { params: { taskId } }))?.status;

export const taskOf = async (front: Front, taskId: string): Promise<Task> =>
  (await ask(front, 'getTask', { params: { taskId } }))?.body.data as Task;

/** The size of a result in bytes, as served at the URL in its task. */
export async function download(resultUrl: string): Promise<number> {
  const response = await fetch(resultUrl);
  const bytes = (await response.arrayBuffer()).byteLength;
  if (response.status !== 200) throw new Error(`a result was served with ${response.status}`);
  return bytes;
}
