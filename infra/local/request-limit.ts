/**
 * Limits how many requests this process handles concurrently: more would only make each wait longer, until the clients
 * of database and storage time out. Requests that create tasks wait for files of other servers, so they have a limit of
 * their own.
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { asCaller } from './current-caller.ts';
import { fairWorkLimit } from './fair-work-limit.ts';

const requestsAtOnce = 24;
const generationsAtOnce = 16;

type Request = Pick<APIGatewayProxyEvent, 'headers' | 'resource'>;

/**
 * Who sends a request: its token, whatever other headers it has. Without a token, its route, so that `/health` never
 * waits for other routes.
 */
const callerOf = ({ headers, resource }: Request): string =>
  Object.entries(headers).flatMap(([name, value]) =>
    /^authorization$/i.test(name) ? (/^bearer +(\S+)$/i.exec(value ?? '')?.[1] ?? []) : [],
  )[0] ?? resource;

/** Each caller may use at most half of either limit. */
export function requestLimit(): <Result>(request: Request, work: () => Promise<Result>) => Promise<Result> {
  const generations = fairWorkLimit(generationsAtOnce, generationsAtOnce / 2);
  const others = fairWorkLimit(requestsAtOnce, requestsAtOnce / 2);
  return (request, work) => {
    const caller = callerOf(request);
    const limit = /\/generate\b/.test(request.resource) ? generations : others;
    return limit(caller, () => asCaller(caller, work));
  };
}
