/**
 * Limits how many requests this process handles concurrently: more would only make each wait longer, until the clients
 * of database and storage time out. Requests that wait for files of other servers have a limit of their own.
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { sessionRoot } from '../../shared/contracts/operation.ts';
import { sessionKey, tokenKey } from '../../shared/domain/keys.ts';
import { sessionDigest } from '../../shared/domain/sessions/session.ts';
import { tokenDigest } from '../../shared/domain/tokens/token.ts';
import type { Key } from '../../shared/platform/dynamo-table.ts';
import { asCaller } from './current-caller.ts';
import { fairWorkLimit } from './fair-work-limit.ts';

const others = { atOnce: 24, ofCaller: 12 } as const;
/** Most of the time, slow requests only wait for other servers, so a few callers cannot take all places. */
const slow = { atOnce: 48, ofCaller: 6 } as const;

type Request = Pick<APIGatewayProxyEvent, 'headers' | 'httpMethod' | 'resource'>;

const headerOf = ({ headers }: Request, name: string): string =>
  Object.entries(headers).find(([header]) => header.toLowerCase() === name)?.[1] ?? '';

/** The row of the token or session with which a request is made: its route decides which of them counts. */
function credentialOf(request: Request): Key | undefined {
  if (request.resource.startsWith(sessionRoot)) {
    const secret = /(?:^|; *)session=([^;]+)/.exec(headerOf(request, 'cookie'))?.[1];
    return secret === undefined ? undefined : sessionKey(sessionDigest(secret));
  }
  const token = /^bearer +(\S+)$/i.exec(headerOf(request, 'authorization'))?.[1];
  return token === undefined ? undefined : tokenKey(tokenDigest(token));
}

/** Whether a request may make the service download files from other servers, which may take seconds. */
const mayDownload = ({ httpMethod, resource }: Request): boolean =>
  httpMethod !== 'GET' && /\/(generate|studio)\b/.test(resource);

/**
 * Each caller may use a part of either limit. A caller is an account with all its tokens and sessions, an unknown
 * token or session, or for requests with neither the route, so that `/health` never waits for other routes.
 */
export function requestLimit(accountOf: (credential: Key) => Promise<string | undefined>) {
  const limitOfSlow = fairWorkLimit(slow.atOnce, slow.ofCaller);
  const limitOfOthers = fairWorkLimit(others.atOnce, others.ofCaller);
  /** The accounts of the tokens and sessions that were used, which never change. */
  const accounts = new Map<string, string>();

  async function callerOf(request: Request): Promise<string> {
    const credential = credentialOf(request);
    if (!credential) return request.resource;
    const { pk } = credential;
    const account = accounts.get(pk) ?? (await limitOfOthers(pk, () => accountOf(credential)));
    if (account !== undefined) accounts.set(pk, account);
    return account ?? pk;
  }

  return async <Result>(request: Request, work: () => Promise<Result>): Promise<Result> => {
    const caller = await callerOf(request);
    const limit = mayDownload(request) ? limitOfSlow : limitOfOthers;
    return limit(caller, () => asCaller(caller, work));
  };
}
