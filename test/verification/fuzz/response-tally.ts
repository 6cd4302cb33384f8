/** Counts the responses that a server in this process sends. */
import diagnosticsChannel from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { localRoutes } from '../../../infra/local/functions.ts';
import { routeFinder } from '../../../infra/local/http-gateway/gateway-routes.ts';

/** The number of cases by operation and status; those of unknown routes are under `none`. */
export type Statuses = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface ResponseTally {
  /** The number of different cases. */
  readonly cases: number;
  readonly statuses: Statuses;
  /** One sentence for each 5xx response, to any caller. */
  readonly serverErrors: readonly string[];
  stop(): void;
}

/** Every request of Schemathesis carries the id of its case. */
const caseHeader = 'x-schemathesis-testcaseid';

const finished = 'http.server.response.finish';
const findRoute = routeFinder(localRoutes);

/** Counts the responses of the server on a port until it is stopped. */
export function tallyResponses(port: number): ResponseTally {
  const cases = new Set<string>();
  const statuses: Record<string, Record<string, number>> = {};
  const serverErrors: string[] = [];

  const count = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (request.socket.localPort !== port) return;
    const { headers, method = '', url = '' } = request;
    const [path = ''] = url.split('?');
    const status = response.statusCode;
    if (status >= 500) serverErrors.push(`The server responded to ${method} ${path} with ${status}.`);
    const caseId = headers[caseHeader];
    if (caseId === undefined) return;
    cases.add(String(caseId));
    const operation = findRoute(method, path)?.route.functionName ?? 'none';
    const ofOperation = statuses[operation] ?? {};
    ofOperation[status] = (ofOperation[status] ?? 0) + 1;
    statuses[operation] = ofOperation;
  };

  diagnosticsChannel.subscribe(finished, count);
  return {
    get cases() {
      return cases.size;
    },
    statuses,
    serverErrors,
    stop: () => void diagnosticsChannel.unsubscribe(finished, count),
  };
}
