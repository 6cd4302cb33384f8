/** What operators see of dead letters: their kind and ids, and nothing that a customer or a visitor of a page wrote. */
import { timestamp } from '../../platform/clock.ts';
import type { DeadLetter } from '../../platform/dead-letters.ts';

const idNames = ['taskId', 'attempt', 'accountId', 'channel', 'pageId', 'eventId', 'subject'] as const;

/** A message that no code can process may have anything in its fields, so only what looks like an id is shown. */
const idLike = /^[\w.:-]{1,120}$/;

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

function parsed(body: string): Fields {
  try {
    return fieldsOf(JSON.parse(body));
  } catch {
    return {};
  }
}

const idIn = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && idLike.test(text) ? text : undefined;
};

/** An inbox message with events is described by the first of them. */
const describedBy = (message: Fields): Fields =>
  Array.isArray(message.events) ? { ...fieldsOf(message.events[0]), events: undefined } : message;

function present({ body, messageId, sentAt }: DeadLetter) {
  const message = describedBy(parsed(body));
  const ids = idNames.flatMap((name) => {
    const id = idIn(message[name]);
    return id === undefined ? [] : [[name, id] as const];
  });
  const kind = idIn(message.kind) ?? idIn(message.gateway) ?? ('taskId' in message ? 'webhook' : 'unknown');
  return { messageId, kind, ids: Object.fromEntries(ids), sentAt: timestamp(sentAt) };
}

/** Oldest first. */
export const presentDeadLetters = (found: readonly DeadLetter[]) =>
  found.toSorted((one, other) => one.sentAt - other.sentAt).map(present);
