/**
 * A local substitute for Instagram and Facebook: the parts of their Graph API that the service uses, OAuth, signed
 * events, and pages on which a user writes as a customer. Tests use it as the documented protocol, with faults on
 * demand.
 *
 * Assumed, because it is undocumented: the HTTP status of each error code, and that replies to a comment move with it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type ApiRequest, answered, type Reply, startApiServer } from '../api-server.ts';
import type { EventDelivery, SentEvent } from '../event-sender.ts';
import { type PageServer, pageReply } from '../page-server.ts';
import { consentPages } from './consent-pages.ts';
import { isSubscribedTo, metaEventSender } from './meta-events.ts';
import {
  bearerOf,
  callMeter,
  graphResponse,
  type MetaOutcome,
  type Mood,
  moodOutcomes,
  parametersOf,
  plannedOutcome,
} from './meta-http.ts';
import { metaRecords } from './meta-records.ts';
import { type MetaChange, type MetaWorld, metaWorld } from './meta-world.ts';
import { type OauthApi, oauthApi } from './oauth-api.ts';
import { socialPages } from './social-pages.ts';
import { imageReply } from './svg-image.ts';

export interface MetaFakeOptions {
  /**
   * The secret of the app that stands for both channels. It signs events and authenticates requests for the pages of an
   * owner.
   */
  readonly appSecret: string;
  /** The URL to which events are sent. */
  readonly eventsUrl: string;
  /** The file that stores everything; by default, it is lost with the process. */
  readonly path?: string;
  /** The port; with 0, the default, that of the last run or any free one. */
  readonly port?: number;
  readonly now?: () => number;
  readonly lateMs?: number;
}

export interface SentSocialEvent {
  readonly kind: MetaChange['kind'];
  readonly pageId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The status of the response; null if there was none. */
  readonly status: number | null;
}

export interface MetaFake {
  /** The base URL, without a trailing slash. */
  readonly url: string;
  /** The requests to the Graph API, oldest first. */
  readonly requests: readonly ApiRequest[];
  /** One outcome per request; further requests follow the selected behavior of the network. */
  readonly outcomes: MetaOutcome[];
  mood: Mood;
  /** The rate limit per page. */
  callsPerHour: number;
  /**
   * For how many of a conversation's newest messages the API returns all fields; of older ones it returns only the id
   * and the time.
   */
  detailedMessages: number;
  /** How the events of further changes are delivered. */
  events: EventDelivery;
  readonly world: MetaWorld;
  /** Sends the latest event again. */
  resend(): Promise<void>;
  /** Resolves with the sent events once all pending ones have been sent. */
  sent(): Promise<readonly SentSocialEvent[]>;
  close(): Promise<void>;
}

const slowMs = 5000;

const noSuchPath: Reply = { status: 404, body: {} };

/** The pages of an owner, for callers that have the app's secret. */
function sandboxPages(world: MetaWorld, appSecret: string, request: ApiRequest): Reply {
  const { owner } = parametersOf(request);
  if (bearerOf(request) !== appSecret) return { status: 401, body: {} };
  if (typeof owner !== 'string' || owner === '') return noSuchPath;
  const pages = world.shopOf(owner).map((page) => {
    const latest = page.tokens.at(-1);
    const accessToken = latest !== undefined && world.pageWith(latest) ? latest : world.grant(page);
    return { channel: page.channel, pageId: page.id, accessToken };
  });
  return { status: 200, body: { pages } };
}

const sentEvent = ({ change: { kind, pageId }, ...request }: SentEvent<MetaChange>): SentSocialEvent => ({
  kind,
  pageId,
  ...request,
});

const pagesOf = (fake: MetaFake, oauth: OauthApi, sent: () => readonly SentEvent<MetaChange>[]): PageServer => ({
  host: fake,
  standIn: 'Instagram and Facebook',
  promise: 'nothing is published here',
  routes: [...consentPages(fake.world, oauth), ...socialPages(fake.world, fake, sent)],
  sent,
});

/** Creates a simulated social network that sends the events of its pages to the apps that subscribe to them. */
function announcedWorld({ onChange, ...options }: Parameters<typeof metaWorld>[0]): MetaWorld {
  const world: MetaWorld = metaWorld({
    ...options,
    onChange(change) {
      if (isSubscribedTo(world.page(change.pageId)?.subscribedFields ?? [], change)) onChange(change);
    },
  });
  return world;
}

export async function startMetaFake(options: MetaFakeOptions): Promise<MetaFake> {
  const { appSecret, eventsUrl, path, now = Date.now, lateMs = 5000 } = options;
  const records = metaRecords(path);
  const sender = metaEventSender({ path, secret: appSecret, now, lateMs, url: eventsUrl });
  const world = announcedWorld({ records, now, onChange: (change) => sender.send(change, fake.events) });
  const [oauth, meter] = [oauthApi(world, appSecret), callMeter(now)];
  const requests: ApiRequest[] = [];

  async function answer(request: ApiRequest): Promise<Answer> {
    const pages = pagesOf(fake, oauth, () => sender.sent());
    const page = pageReply(pages, request) ?? imageReply(world, request.path);
    if (page) return page;
    if (request.path === '/sandbox/pages') return sandboxPages(world, appSecret, request);
    requests.push(request);
    const { mood } = fake;
    const outcome = fake.outcomes.shift() ?? moodOutcomes[mood];
    if (mood === 'slow') await sleep(slowMs);
    const { headers, ...planned } = plannedOutcome(outcome);
    const reply = await answered(
      planned.outcome,
      () => graphResponse({ ...fake, oauth, meter }, request) ?? noSuchPath,
    );
    return typeof reply === 'string' ? reply : { ...reply, headers: { ...reply.headers, ...headers } };
  }

  const server = await startApiServer({ port: options.port, lastPort: records.find('port', 'port')?.port, answer });
  records.put({ kind: 'port', id: 'port', port: server.port });
  const fake: MetaFake = {
    url: server.url,
    requests,
    outcomes: [],
    mood: 'works',
    callsPerHour: 20_000,
    detailedMessages: Number.POSITIVE_INFINITY,
    events: 'at once',
    world,
    async resend() {
      const latest = sender.sent().at(-1);
      if (latest) await sender.resend(latest.change);
    },
    sent: async () => (await sender.allSent()).map(sentEvent),
    async close() {
      sender.close();
      await server.close();
      records.close();
    },
  };
  return fake;
}
