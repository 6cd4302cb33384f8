/** Serves the pages of a sandbox and performs the actions of their buttons; programs send the same forms. */

import { type ApiRequest, html, type Reply } from './api-server.ts';
import { type EventDelivery, eventDeliveries } from './event-sender.ts';
import { formIn } from './form-in.ts';
import { pageHtml, type SandboxPage } from './sandbox-page.ts';

/** Thrown if a page or an action does not exist. */
export class PageFault extends Error {
  override readonly name = 'PageFault';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Returns the record. @throws {PageFault} if it is undefined */
export function found<Record>(record: Record | undefined, what: string): Record {
  if (record === undefined) throw new PageFault(404, `There is no such ${what}.`);
  return record;
}

export interface PageRoute {
  /** The pattern of the path; its group is the id. */
  readonly path: RegExp;
  /** The page, or the URL to redirect to. */
  readonly show: (id: string, query: URLSearchParams) => SandboxPage | string;
  readonly actions: readonly string[];
  /** Performs an action; returns the URL to redirect to. */
  readonly press: (id: string, action: string | null, form: URLSearchParams, query: URLSearchParams) => string;
}

interface TypedRoute<Action extends string> extends Pick<PageRoute, 'path' | 'show'> {
  readonly actions?: readonly Action[];
  readonly press?: (id: string, action: Action, form: URLSearchParams, query: URLSearchParams) => string;
}

function oneOf<Name extends string>(name: string, value: string | null, accepted: readonly Name[]): Name {
  const known = accepted.find((one) => one === value);
  if (known !== undefined) return known;
  throw new PageFault(
    400,
    `${name} must be one of ${accepted.join(', ')}${value === null ? '' : `; it is "${value}"`}.`,
  );
}

export const pageRoute = <Action extends string>(route: TypedRoute<Action>): PageRoute => ({
  actions: [],
  ...route,
  press: (id, action, form, query) =>
    route.press?.(id, oneOf('action', action, route.actions ?? []), form, query) ?? '/',
});

export interface PageServer {
  /** How the events of further changes are delivered. */
  readonly host: { events: EventDelivery };
  readonly standIn: string;
  /** A sentence that says what never happens in the sandbox, such as a real payment. */
  readonly promise: string;
  readonly routes: readonly PageRoute[];
  /**
   * The sent requests, which `/events` lists. Anyone who intercepted real ones could repeat them, so tests use the list
   * for replay attacks.
   */
  readonly sent: () => readonly object[];
}

/** Performs an action, with events delivered as the form requests. */
function press({ host }: PageServer, form: URLSearchParams, act: () => string): string {
  const usual = host.events;
  host.events = oneOf('events', form.get('events') ?? 'at once', eventDeliveries);
  try {
    return act();
  } finally {
    host.events = usual;
  }
}

const noStore = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, 'cache-control': 'no-store' } });

const text = (status: number, content: string): Reply => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: Buffer.from(`${content}\n`),
});

function shown(server: PageServer, route: PageRoute, { method, body }: ApiRequest, url: URL): Reply {
  const [, id = ''] = route.path.exec(url.pathname) ?? [];
  const query = url.searchParams;
  const form = formIn(body);
  const page =
    method === 'POST'
      ? press(server, form, () => route.press(id, form.get('action'), form, query))
      : route.show(id, query);
  if (typeof page === 'string') return { status: 303, headers: { location: page }, body: Buffer.alloc(0) };
  return noStore(html(200, pageHtml(page, server.standIn, server.promise, route.actions)));
}

/** The response of a page; undefined if the path is not one of a page. */
export function pageReply(server: PageServer, request: ApiRequest): Reply | undefined {
  const url = new URL(request.path, 'http://sandbox');
  if (url.pathname === '/events')
    return noStore({ status: 200, body: Buffer.from(JSON.stringify(server.sent(), null, 2)) });
  const route = server.routes.find(({ path }) => path.test(url.pathname));
  try {
    return route && shown(server, route, request, url);
  } catch (error) {
    if (error instanceof PageFault) return noStore(text(error.status, error.message));
    throw error;
  }
}
