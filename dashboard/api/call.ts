/** Calls operations with this browser's session, typed by their contracts. */
import type * as z from 'zod';
import { sessionPathOf } from '../../shared/contracts/operation.ts';
import type { TokenMode } from '../../shared/contracts/token-modes.ts';
import { ApiError } from './api-error.ts';
import { viewId } from './view.ts';

/** The part of a contract that a call needs. */
export interface Callable {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly idempotent?: boolean;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly success: { readonly data: z.ZodType };
}

type Part<Contract, Name extends string> =
  Contract extends Readonly<Record<Name, infer Schema extends z.ZodType>> ? z.input<Schema> : undefined;

/** Query values, which are text in the contract and may be numbers in pages. */
type Query<Contract> = { readonly [Name in keyof Part<Contract, 'query'>]?: string | number | undefined };

export interface Request<Contract extends Callable> {
  readonly params?: Part<Contract, 'params'>;
  readonly query?: Query<Contract>;
  readonly body?: Part<Contract, 'body'>;
  /** In test mode, the call acts for the test account of the owner; live by default. */
  readonly mode?: TokenMode;
  /** Whether to return only what the call would cost. */
  readonly isDryRun?: boolean;
  /** Repeating the call with the same key has no further effect. */
  readonly idempotencyKey?: string;
}

export type Data<Contract extends Callable> = z.output<Contract['success']['data']>;

/** The route for sessions: operations of the API have a second route, on which sessions call them. */
const routeOf = (path: string): string => (isOfApi(path) ? sessionPathOf({ path }) : path);

const isOfApi = (path: string): path is `/api/v1/${string}` => path.startsWith('/api/v1/');

function urlOf(path: string, params: object = {}, query: object = {}): string {
  const values = new Map<string, unknown>(Object.entries(params));
  const filled = routeOf(path).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name))),
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

type Envelope = { success: true; data: unknown } | { success: false; error: { code: string; message: string } };

const isEnvelope = (value: unknown): value is Envelope =>
  typeof value === 'object' && value !== null && 'success' in value;

interface Options {
  readonly signal?: AbortSignal;
  /** Called with the `Retry-After` of a successful response: when to poll again. */
  readonly onPollHint?: (seconds: number) => void;
}

const retryAfterOf = ({ headers }: Response): number => Number(headers.get('retry-after') ?? 0);

/** Calls an operation. @throws {ApiError} */
export async function call<Contract extends Callable>(
  { method, path, idempotent = false }: Contract,
  { params, query, body, mode, isDryRun, idempotencyKey }: Request<Contract> = {},
  { signal, onPollHint }: Options = {},
): Promise<Data<Contract>> {
  const headers: Record<string, string> = {};
  if (method === 'POST') headers['Content-Type'] = 'application/json';
  if (mode === 'test') headers['X-Test-Mode'] = 'true';
  if (viewId !== undefined) headers['X-View'] = viewId;
  if (isDryRun) headers['X-Dry-Run'] = 'true';
  if (idempotent) headers['Idempotency-Key'] = idempotencyKey ?? crypto.randomUUID();
  const response = await fetch(urlOf(path, params ?? {}, query ?? {}), {
    method,
    headers,
    credentials: 'same-origin',
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'NETWORK', 'The service cannot be reached.');
  });
  const envelope: unknown = await response.json().catch(() => undefined);
  if (!isEnvelope(envelope)) throw new ApiError(response.status, 'INTERNAL_ERROR', 'The response is not JSON.');
  if (envelope.success) {
    if (retryAfterOf(response) > 0) onPollHint?.(retryAfterOf(response));
    return envelope.data as Data<Contract>;
  }
  const { code, message } = envelope.error;
  throw new ApiError(response.status, code, message, retryAfterOf(response));
}
