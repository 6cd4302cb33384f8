/** A customer's back end: it requests speech, and repeats a request without a response with the same key. */
import type { Task } from '../../../shared/contracts/tasks.ts';

export interface GenerationRequest {
  /** The idempotency key, and the client reference. */
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

/** Undefined if the service crashed or is unreachable. */
async function send({ url, token }: Front, method: string, path: string, headers = {}, body?: object) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  const text = await response?.text().catch(() => undefined);
  return response && text !== undefined ? { response, text } : undefined;
}

/** Throws for a response other than 202. */
export async function generate(
  front: Front,
  { key, text, callbackUrl }: GenerationRequest,
): Promise<Accepted | undefined> {
  const headers = { 'idempotency-key': key, 'x-client-reference': key };
  const body = { text, voice: 'sarah', ...(callbackUrl && { callbackUrl }) };
  const received = await send(front, 'POST', '/api/v1/generate/voice', headers, body);
  if (!received) return undefined;
  if (received.response.status !== 202) throw new Error(`a generation was rejected with ${received.text}`);
  const { data } = JSON.parse(received.text) as { data: { taskId: string } };
  return { taskId: data.taskId, isReplay: received.response.headers.get('idempotent-replayed') === 'true' };
}

/** The status of the response; undefined if there was none. */
export async function cancel(front: Front, taskId: string): Promise<number | undefined> {
  return (await send(front, 'POST', `/api/v1/tasks/${taskId}/cancel`))?.response.status;
}

export async function taskOf(front: Front, taskId: string): Promise<Task> {
  const received = await send(front, 'GET', `/api/v1/tasks/${taskId}`);
  return (JSON.parse(received?.text ?? '{}') as { data: Task }).data;
}

/** How many bytes a result has that is served, as its task says where. */
export async function download(resultUrl: string): Promise<number> {
  const response = await fetch(resultUrl);
  const bytes = (await response.arrayBuffer()).byteLength;
  if (response.status !== 200) throw new Error(`a result was served with ${response.status}`);
  return bytes;
}
