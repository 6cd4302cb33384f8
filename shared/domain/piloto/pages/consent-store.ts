/**
 * Stores the consents that social networks ask session owners for: one per session and channel, completed at most once,
 * within ten minutes, by the browser that began it. Afterwards it stores the granted pages until one is chosen.
 */
import * as z from 'zod';
import type { Channel } from '../../../contracts/channels.ts';
import { once } from '../../../contracts/once.ts';
import type { Network } from '../../../gateways/social-network.ts';
import { ConditionFailed, type Item, type Table } from '../../../platform/dynamo-table.ts';
import { consentChannelOf, consentKey } from '../../inbox-keys.ts';
import { expiryAttribute } from '../../keys.ts';
import { secretDigest } from '../../secret-digest.ts';
import { parseRow } from '../../stored-row.ts';

/** How many seconds a consent may take; the following choice may take as long again. */
export const consentSeconds = 600;

/** The session that asks for consent, by its digest, and the channel. */
export interface ConsentId {
  readonly digest: string;
  readonly channel: Channel;
}

export interface Consent {
  readonly accountId: string;
  readonly network: Network;
  readonly startedAt: number;
}

/** The secret in the browser's cookie, and the state that the social network returns. */
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

/** The granted pages to choose from, with encrypted tokens. */
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
  /** An id that distinguishes this consent from later ones of the same session and channel. */
  readonly stateDigest: string;
  readonly choice?: PageChoice;
}

const parseConsent = (item: Item): StoredConsent => parseRow('consent', ConsentRow(), item);

/**
 * Stores a new consent in place of an earlier one, whose callback is then rejected. Pages already granted can still be
 * chosen until a new consent is granted.
 */
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

/** The item after the update; undefined if a condition failed. */
async function unlessFailed<Result>(write: Promise<Result>): Promise<Result | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

/**
 * Consumes the consent that matches a session, a browser's secret and a callback's state; undefined if it does not
 * exist, has expired or was already consumed. An earlier choice is dropped.
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

/** Stores the granted pages to choose from; false if the owner has started another consent meanwhile. */
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

/** Finds a consent, including the pages to choose from until the choice expires. */
export async function findConsent(
  table: Table,
  { digest, channel }: ConsentId,
  now: number,
): Promise<StoredConsent | undefined> {
  const item = await table.get(consentKey(digest, channel));
  return item && withLiveChoice(parseConsent(item), now);
}

/** The choices of a session, by channel. */
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

/** Deletes a choice, unless a newer one has replaced it. */
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
