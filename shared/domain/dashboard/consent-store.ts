/**
 * Stores what networks ask the owners of sessions for: one consent for each session and channel, completed at most once,
 * by the browser that began it, within ten minutes; and then the pages that were granted, until one is chosen.
 */
import * as z from 'zod';
import type { Channel } from '../../contracts/channels.ts';
import { once } from '../../contracts/once.ts';
import type { Network } from '../../gateways/social-network.ts';
import { ConditionFailed, type Item, type Table } from '../../platform/dynamo-table.ts';
import { consentChannelOf, consentKey } from '../inbox-keys.ts';
import { expiryAttribute } from '../keys.ts';
import { secretDigest } from '../secret-digest.ts';
import { parseRow } from '../stored-row.ts';

/** How long a consent may take, and then a choice. */
export const consentSeconds = 600;

/** The session that asks, by what it is stored under. */
export interface ConsentId {
  readonly digest: string;
  readonly channel: Channel;
}

export interface Consent {
  readonly accountId: string;
  readonly network: Network;
  readonly startedAt: number;
}

/** What the browser keeps of it, and what the network returns with. */
export interface ConsentSecrets {
  readonly secret: string;
  readonly state: string;
}

const Choice = once(() =>
  z.object({
    until: z.int(),
    pages: z.array(
      z.object({
        pageId: z.string(),
        name: z.string(),
        sealedToken: z.string(),
        tokenExpiresAt: z.exactOptional(z.int()),
      }),
    ),
  }),
);

/** Granted pages, of which one is to be chosen; their tokens are sealed. */
export type PageChoice = z.output<ReturnType<typeof Choice>>;

const ConsentRow = once(() =>
  z.object({
    accountId: z.string(),
    network: z.enum(['meta', 'sandbox']),
    startedAt: z.int(),
    stateDigest: z.string(),
    choice: z.exactOptional(Choice()),
  }),
);

export interface StoredConsent extends Consent {
  /** Names this consent among those that follow it. */
  readonly stateDigest: string;
  readonly choice?: PageChoice;
}

const parseConsent = (item: Item): StoredConsent => parseRow('consent', ConsentRow(), item);

/** Takes the place of an earlier one, whose callback then comes too late; the choice that it led to stays until a grant. */
export async function putConsent(
  table: Table,
  { digest, channel }: ConsentId,
  { secret, state }: ConsentSecrets,
  consent: Consent,
): Promise<void> {
  const { accountId, network, startedAt } = consent;
  await table.update({
    Key: consentKey(digest, channel),
    UpdateExpression:
      'SET accountId = :account, network = :network, startedAt = :startedAt, secretDigest = :secret, stateDigest = :state, #expiry = :expiry REMOVE consumedAt',
    ExpressionAttributeNames: { '#expiry': expiryAttribute },
    ExpressionAttributeValues: {
      ':account': accountId,
      ':network': network,
      ':startedAt': startedAt,
      ':secret': secretDigest(secret),
      ':state': secretDigest(state),
      ':expiry': Math.ceil(startedAt / 1000) + consentSeconds,
    },
  });
}

/** Undefined if a condition failed. */
async function unlessFailed<Result>(write: Promise<Result>): Promise<Result | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

/**
 * The consent of a session, a browser's secret and a callback's state, once; undefined if there is none, or no longer.
 * What the owner grants takes the place of an earlier choice.
 */
export async function consumeConsent(
  table: Table,
  { digest, channel }: ConsentId,
  { secret, state, isGranted }: ConsentSecrets & { readonly isGranted: boolean },
  now: number,
): Promise<StoredConsent | undefined> {
  const update = table.update({
    Key: consentKey(digest, channel),
    UpdateExpression: `SET consumedAt = :now${isGranted ? ' REMOVE choice' : ''}`,
    ConditionExpression:
      'attribute_exists(pk) AND attribute_not_exists(consumedAt) AND stateDigest = :state AND secretDigest = :secret AND startedAt > :earliest',
    ExpressionAttributeValues: {
      ':now': now,
      ':state': secretDigest(state),
      ':secret': secretDigest(secret),
      ':earliest': now - consentSeconds * 1000,
    },
    ReturnValues: 'ALL_NEW',
  });
  const item = await unlessFailed(update);
  return item && parseConsent(item);
}

/** False if the owner has begun anew since. */
export async function offerChoice(
  table: Table,
  { digest, channel }: ConsentId,
  { stateDigest }: Pick<StoredConsent, 'stateDigest'>,
  choice: PageChoice,
): Promise<boolean> {
  const update = table.update({
    Key: consentKey(digest, channel),
    UpdateExpression: 'SET choice = :choice, #expiry = :expiry',
    ConditionExpression: 'stateDigest = :state',
    ExpressionAttributeNames: { '#expiry': expiryAttribute },
    ExpressionAttributeValues: {
      ':choice': choice,
      ':expiry': Math.ceil(choice.until / 1000),
      ':state': stateDigest,
    },
  });
  return (await unlessFailed(update)) !== undefined;
}

const withLiveChoice = ({ choice, ...consent }: StoredConsent, now: number): StoredConsent => ({
  ...consent,
  ...(choice && choice.until > now && { choice }),
});

/** With the choice that it led to, until that is over. */
export async function findConsent(
  table: Table,
  { digest, channel }: ConsentId,
  now: number,
): Promise<StoredConsent | undefined> {
  const item = await table.get(consentKey(digest, channel));
  return item && withLiveChoice(parseConsent(item), now);
}

/** The choices of a session, by their channels. */
export async function choicesOf(table: Table, digest: string, now: number): Promise<ReadonlyMap<Channel, PageChoice>> {
  const query = {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': consentKey(digest, 'instagram').pk },
    ConsistentRead: true,
  };
  const items = await Array.fromAsync(table.walk(query));
  const found = items.map((item) => [consentChannelOf(item), withLiveChoice(parseConsent(item), now).choice] as const);
  return new Map(found.flatMap(([channel, choice]) => (choice ? [[channel, choice]] : [])));
}

/** What was granted is of no use any more. What was granted since is left alone. */
export async function forgetChoice(
  table: Table,
  { digest, channel }: ConsentId,
  { until }: Pick<PageChoice, 'until'>,
): Promise<void> {
  const update = table.update({
    Key: consentKey(digest, channel),
    UpdateExpression: 'REMOVE choice',
    ConditionExpression: 'choice.#until = :until',
    ExpressionAttributeNames: { '#until': 'until' },
    ExpressionAttributeValues: { ':until': until },
  });
  await unlessFailed(update);
}
