/** Parses requests to the sandbox's Graph API, and determines their outcomes. */
import { channels } from '../../shared/contracts/channels.ts';
import { jsonIn } from '../../shared/platform/json-in.ts';
import { type GraphCall, graphReply } from './graph-api.ts';
import { GraphError, invalidToken } from './graph-error.ts';
import type { MetaWorld } from './meta-world.ts';
import type { OauthApi } from './oauth-api.ts';

export interface MetaRequest {
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface MetaReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The outcome of a request: done, done without a response, not done, a response that is not JSON, or an error. */
export type MetaOutcome =
  | 'done'
  | 'lost'
  | 'down'
  | 'page'
  | 'hang'
  | {
      readonly status?: number;
      readonly code?: number;
      readonly subcode?: number;
      readonly isTransient?: boolean;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** Named behaviors of the Graph API, which last until they are changed. */
export const moods = ['works', 'slow', 'down', 'throttled', 'loses responses'] as const;
export type Mood = (typeof moods)[number];

export const moodOutcomes: Readonly<Record<Mood, MetaOutcome>> = {
  works: 'done',
  slow: 'done',
  down: 'down',
  throttled: { code: 4, headers: { 'x-app-usage': '{"call_count":100,"total_time":40,"total_cputime":40}' } },
  'loses responses': 'lost',
};

/** The error of an outcome; undefined if the request is performed. */
export function outcomeReply(outcome: MetaOutcome): MetaReply | undefined {
  if (typeof outcome === 'string' || (outcome.code === undefined && outcome.status === undefined)) return undefined;
  const { status = 400, code, subcode, isTransient, headers = {} } = outcome;
  const error = { message: 'As the test has asked', type: 'OAuthException', code, error_subcode: subcode };
  return {
    status,
    headers,
    body: code === undefined ? 'no error' : { error: { ...error, is_transient: isTransient } },
  };
}

const hourMs = 3_600_000;

/** Counts the calls per page within an hour. */
export function callMeter(now: () => number) {
  const calls = new Map<string, number[]>();
  return (pageId: string): number => {
    const recent = (calls.get(pageId) ?? []).filter((at) => at > now() - hourMs);
    calls.set(pageId, [...recent, now()]);
    return recent.length + 1;
  };
}

export function parametersOf({ body, headers }: MetaRequest): Readonly<Record<string, unknown>> {
  const isJson = String(headers['content-type']).startsWith('application/json');
  return isJson ? (Object(jsonIn(body)) as Record<string, unknown>) : Object.fromEntries(new URLSearchParams(body));
}

export const bearerOf = ({ headers }: MetaRequest): string | undefined =>
  /^Bearer (\S+)$/.exec(String(headers.authorization))?.[1];

interface GraphServices {
  readonly world: MetaWorld;
  readonly oauth: OauthApi;
  readonly url: string;
  readonly meter: ReturnType<typeof callMeter>;
  readonly callsPerHour: number;
  readonly detailedMessages: number;
}

const usageHeader = (pageId: string, channel: string, percent: number): string => {
  const used = { call_count: percent, total_cputime: 1, total_time: 1 };
  const regain = percent > 100 ? 60 : 0;
  return JSON.stringify({ [pageId]: [{ type: channel, ...used, estimated_time_to_regain_access: regain }] });
};

/** The response; undefined if the path is not one of the Graph API. */
export function graphResponse(services: GraphServices, request: MetaRequest): MetaReply | undefined {
  const { world, oauth, url, meter, callsPerHour } = services;
  const { pathname, searchParams } = new URL(request.path, url);
  const channel = channels.find((one) => pathname.startsWith(`/${one}/`));
  if (!channel) return undefined;
  const path = pathname.slice(channel.length + 1);
  const [given, bearer] = [parametersOf(request), bearerOf(request)];
  const headers: Record<string, string> = {};
  try {
    const tokens = oauth.reply(channel, path, { ...Object.fromEntries(searchParams), ...given }, bearer);
    if (tokens) return { status: 200, headers, body: tokens };
    const page = bearer === undefined ? undefined : world.pageWith(bearer);
    if (page?.channel !== channel) throw invalidToken();
    const percent = Math.floor((meter(page.id) * 100) / callsPerHour);
    headers['x-business-use-case-usage'] = usageHeader(page.id, channel, percent);
    if (percent > 100) throw new GraphError('Too many calls', { code: channel === 'instagram' ? 80_002 : 80_001 });
    const fields = searchParams.get('fields') ?? '';
    const call: GraphCall = {
      method: request.method,
      path: path.replace(/^\/v\d+\.\d+/, ''),
      query: searchParams,
      parameters: given,
      url: `${url}${pathname}?access_token=${bearer}&fields=${encodeURIComponent(fields)}`,
      imagesUrl: `${url}/images`,
      detailedMessages: services.detailedMessages,
    };
    return { status: 200, headers, body: graphReply(world, page, call) };
  } catch (error) {
    if (error instanceof GraphError) return { status: error.status, headers, body: error.body };
    throw error;
  }
}
