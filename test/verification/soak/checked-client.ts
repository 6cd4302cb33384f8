/** Sends the load's requests, checks every response against the published contract and keeps statistics. */
import { type OperationId, registry } from '../../../shared/contracts/registry.ts';
import { responseProblems } from '../../support/openapi-validator.ts';

export interface SoakRequest {
  /** Undefined for a path that no operation has. */
  readonly operationId: OperationId | undefined;
  /** The permitted responses: the status of a success, or the code of an error. */
  readonly expected: readonly string[];
  readonly token?: string | undefined;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, or as it is when it is text. */
  readonly body?: unknown;
}

export interface SoakResponse {
  /** The status of a success, or the code of an error. */
  readonly code: string;
  readonly headers: Headers;
  /** What a success carries; it is held against the contract, so that its readers need not look again. */
  readonly data: unknown;
}

/** An internal error, and when its request was under way: times in terms of `performance.now()`. */
export interface InternalError {
  readonly operationId: string;
  readonly from: number;
  readonly to: number;
}

export interface Requester {
  send(request: SoakRequest): Promise<SoakResponse>;
  /** Notes something that must never be. */
  object(sentence: string): void;
  /** What must never be, and was. */
  readonly objections: readonly string[];
  /** The tasks in the responses to creations. */
  readonly promised: ReadonlySet<string>;
  readonly internalErrors: readonly InternalError[];
  readonly byStatus: Readonly<Record<string, number>>;
  readonly byCode: Readonly<Record<string, number>>;
  readonly latenciesMs: readonly number[];
}

interface Envelope {
  readonly data?: unknown;
  readonly error?: { readonly code: string };
}

/**
 * What every request may meet: faults are injected all the time, and are looked into at the end; and on a fast machine
 * the tokens' turns come round too soon.
 */
const everywhere = ['INTERNAL_ERROR', 'RATE_LIMITED'];

const fill = (path: string, params: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? name));

function fetchOf(baseUrl: string, { operationId, params, query, token, headers, body }: SoakRequest) {
  const { method, path } = operationId ? registry[operationId] : { method: 'GET', path: '/api/v1/nowhere' };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(`${baseUrl}${fill(path, params)}${query ? `?${query}` : ''}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: text }),
  });
}

const counted = (counts: Record<string, number>, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};

/** Enough to diagnose: a broken service violates its contract thousands of times. */
const maxObjections = 20;

export function requester(baseUrl: string): Requester {
  const objections: string[] = [];
  const promised = new Set<string>();
  const internalErrors: InternalError[] = [];
  const byStatus: Record<string, number> = {};
  const byCode: Record<string, number> = {};
  const latenciesMs: number[] = [];
  const object = (sentence: string): void => {
    if (objections.length < maxObjections) objections.push(sentence);
  };

  function examine(request: SoakRequest, response: Response, text: string): SoakResponse {
    const { operationId, expected } = request;
    const { headers, status } = response;
    for (const problem of responseProblems(operationId, status, Object.fromEntries(headers), text)) object(problem);
    const { data, error } = JSON.parse(text) as Envelope;
    const code = error?.code ?? String(status);
    if (![...expected, ...everywhere].includes(code)) {
      object(`${operationId ?? 'an unknown path'} responded with ${code} instead of ${expected.join(' or ')}: ${text}`);
    }
    return { code, headers, data };
  }

  async function exchange(request: SoakRequest): Promise<SoakResponse> {
    const from = performance.now();
    const response = await fetchOf(baseUrl, request);
    const text = await response.text();
    const to = performance.now();
    latenciesMs.push(to - from);
    const examined = examine(request, response, text);
    counted(byStatus, String(response.status));
    if (!response.ok) counted(byCode, examined.code);
    if (examined.code === '202') promised.add((examined.data as { taskId: string }).taskId);
    if (response.status >= 500) internalErrors.push({ operationId: request.operationId ?? 'none', from, to });
    return examined;
  }

  return {
    async send(request) {
      try {
        return await exchange(request);
      } catch (error) {
        object(`${request.operationId ?? 'an unknown path'} got no response: ${String(error)}`);
        return { code: 'NO_RESPONSE', headers: new Headers(), data: undefined };
      }
    },
    object,
    objections,
    promised,
    internalErrors,
    byStatus,
    byCode,
    latenciesMs,
  };
}
