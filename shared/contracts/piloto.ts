/** What all operations of the inbox have in common. */
import * as z from 'zod';
import { channels, longestNetworkUrl } from './channels.ts';
import { oneOf, shortText } from './fields.ts';
import { once } from './once.ts';

/**
 * Every inbox operation requires a plan with the feature. The inbox has what other people wrote to the account in private,
 * so operators do not see it as its owner does.
 */
const ofPiloto = { tag: 'Piloto', feature: 'piloto', dashboard: true, isHiddenFromViews: true } as const;

export const reading = { ...ofPiloto, method: 'GET', scopes: ['read:piloto'], idempotent: false } as const;
export const writing = { ...ofPiloto, method: 'POST', scopes: ['write:piloto'], idempotent: false } as const;

export const pilotoPath = '/api/v1/piloto/inbox';

/** An opaque id, from which the social network's own id cannot be derived. */
const form = /^[A-Za-z0-9_-]{22}$/;

export const inboxId = () => z.string().regex(form).meta({ maxLength: 22, description: 'An opaque id.' });

export const inboxIdOf = (kind: string) =>
  z
    .string({ error: `must be a ${kind} id` })
    .regex(form, { error: `must be a ${kind} id` })
    .meta({ maxLength: 22 });

const Channel = once(() => oneOf(channels).meta({ id: 'Channel' }));

export const channel = () => Channel().describe('The network that the page belongs to.');

/** Text written by users of a social network; longer texts are truncated. */
export const writtenText = () => shortText(10_000);

export const networkUrl = () => z.string().meta({ maxLength: longestNetworkUrl, format: 'uri' });

/** How `after` works in a list whose entries are found by their ids. */
export const unknownAfter = (entry: string): string => `An \`after\` that is not the id of ${entry} is a 400.`;

/** How `after` works in a list in which entries change their positions. */
export const moving = (entry: string, reason: string): string =>
  `\`after\` continues the list from the current place of that ${entry}. A ${entry} that gets ${reason} moves to the front: to notice it, read the first page again.`;

export const notConnected =
  'Without a connected page the response is 403; the same applies if the connection of every page has expired or was revoked.';

export const onlyWhileConnected =
  'If the connection of the page has expired or was revoked, the response is 403; if the network is down or limits the rate of calls, it is 503 with `Retry-After`, and nothing was done.';

/** Describes writes to a social network that has no idempotency keys of its own. */
export const idempotentWriteNote = (what: string): string =>
  `With an \`Idempotency-Key\`, ${what} is never sent twice: if the network did not respond, the response is 500, and a repeat with the same key first looks for it in the network; while it is not yet known whether it arrived, the repeat gets 409 \`IDEMPOTENCY_CONFLICT\` with \`Retry-After\`.`;
