/** What the pages of the sandboxes receive and send, and which button a form has pressed. */
import type { ServerResponse } from 'node:http';
import { type EventFate, eventFates, isEventFate } from './event-sender.ts';

export interface PageRequest {
  readonly url: URL;
  /** Undefined unless a button was pressed. */
  readonly form: URLSearchParams | undefined;
}

export interface PageReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const pageRequest = (method: string, path: string, body: string): PageRequest => ({
  url: new URL(path, 'http://sandbox'),
  form: method === 'POST' ? new URLSearchParams(body) : undefined,
});

const fresh = (contentType: string, body: string): PageReply => ({
  status: 200,
  headers: { 'content-type': contentType, 'cache-control': 'no-store' },
  body,
});

export const html = (body: string): PageReply => fresh('text/html; charset=utf-8', body);

export const json = (value: unknown): PageReply => fresh('application/json', JSON.stringify(value, null, 2));

export const text = (status: number, body: string): PageReply => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: `${body}\n`,
});

export const redirect = (location: string): PageReply => ({ status: 303, headers: { location }, body: '' });

export const sendPage = (response: ServerResponse, { status, headers, body }: PageReply): void =>
  void response.writeHead(status, headers).end(body);

export interface Press<Button> {
  readonly deed: Button;
  readonly events: EventFate;
}

const misread = (name: string, value: string | null, accepted: readonly string[]): PageReply =>
  text(400, `${name} must be one of ${accepted.join(', ')}${value === null ? '' : `; it is "${value}"`}.`);

/** Programs send the forms too, so a button that the page does not have is rejected. */
export function pressIn<Button extends string>(
  form: URLSearchParams,
  buttons: readonly Button[],
): Press<Button> | PageReply {
  const pressed = form.get('deed');
  const deed = buttons.find((one) => one === pressed);
  if (!deed) return misread('deed', pressed, buttons);
  const events = form.get('events') ?? 'at once';
  return isEventFate(events) ? { deed, events } : misread('events', events, eventFates);
}
