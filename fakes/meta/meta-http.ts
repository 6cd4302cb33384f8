/** Parses requests to the sandbox's Graph API, and determines their outcomes. */

import { channels } from '../../shared/contracts/channels.ts';
import { jsonIn } from '../../shared/platform/json-in.ts';
import type { ApiRequest, Outcome, Reply } from '../api-server.ts';
import { formIn } from '../form-in.ts';
import { type GraphCall, graphReply } from './graph-api.ts';
import { GraphError, invalidToken } from './graph-error.ts';
import type { MetaWorld } from './meta-world.ts';
import type { OauthApi } from './oauth-api.ts';

/**
 * The outcome of a request, or an error of the Graph API; if only headers are given, they are added to the normal
 * response.
 */
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

interface PlannedOutcome {
  readonly outcome: Outcome;
  /** Further headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
}

export function plannedOutcome(given: MetaOutcome): PlannedOutcome {
  if (typeof given === 'string') return { outcome: given };
  const { status = 400, code, subcode, isTransient, headers = {} } = given;
  if (code === undefined && given.status === undefined) return { outcome: 'done', headers };
  const error = { message: 'As the test has asked', type: 'OAuthException', code, error_subcode: subcode };
  const body = code === undefined ? 'no error' : { error: { ...error, is_transient: isTransient } };
  return { outcome: { status, body }, headers };
}

const hourMs = 3_600_000;

/** Counts the calls for each page within an hour. */
export function callMeter(now: () => number) {
  const calls = new Map<string, number[]>();
  return (pageId: string): number => {
    const recent = (calls.get(pageId) ?? []).filter((at) => at > now() - hourMs);
    calls.set(pageId, [...recent, now()]);
    return recent.length + 1;
  };
}

export function parametersOf({ body, headers }: ApiRequest): Readonly<Record<string, unknown>> {
  const isJson = String(headers['content-type']).startsWith('application/json');
  return isJson ? (Object(jsonIn(body)) as Record<string, unknown>) : Object.fromEntries(formIn(body));
}

export const bearerOf = ({ headers }: ApiRequest): string | undefined =>
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
export function graphResponse(services: GraphServices, request: ApiRequest): Reply | undefined {
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
