/**
 * Limits how many requests this process handles at once: more would only make each wait longer, until the clients of
 * database and storage time out. Requests to generate wait for files of other servers, so they have places of their own.
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { fairWorkLimit } from './fair-work-limit.ts';

const requestsAtOnce = 24;
const generationsAtOnce = 16;

type Request = Pick<APIGatewayProxyEvent, 'headers' | 'resource'>;

/** The token of a request, whatever other headers it has; without one, its route, so that `/health` waits for no other. */
const callerOf = ({ headers, resource }: Request): string =>
  Object.entries(headers).flatMap(([name, value]) =>
    /^authorization$/i.test(name) ? (/^bearer +(\S+)$/i.exec(value ?? '')?.[1] ?? []) : [],
  )[0] ?? resource;

/** Of the places of each kind, a caller has at most half. */
export function requestLimit(): <Result>(request: Request, work: () => Promise<Result>) => Promise<Result> {
  const generations = fairWorkLimit(generationsAtOnce, generationsAtOnce / 2);
  const others = fairWorkLimit(requestsAtOnce, requestsAtOnce / 2);
  return (request, work) => (/\/generate\b/.test(request.resource) ? generations : others)(callerOf(request), work);
}
