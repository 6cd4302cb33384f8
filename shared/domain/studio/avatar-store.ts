/** Stores the avatars of accounts; at most one per source influencer. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import type { Action, Item, Table } from '../../platform/dynamo-table.ts';
import { avatarOriginsOwner, avatarsOwner, indexes } from '../index-keys.ts';
import { avatarKey, originKey, ownIdOf } from '../keys.ts';
import { parseRow } from '../stored-row.ts';
import { StoredImage, type StudioImage } from './studio-image.ts';

export interface Avatar {
  readonly accountId: string;
  readonly avatarId: string;
  readonly name: string;
  readonly image: StudioImage;
  readonly gender?: string | undefined;
  readonly type?: string | undefined;
  readonly sourceInfluencerId?: string | undefined;
  /** Whether the request declared that the person has agreed to the use of their likeness. */
  readonly likenessConsent?: boolean | undefined;
  readonly createdAt: number;
}

export interface AvatarStore {
  /** Finds an avatar of this account; `avatarId` may be any text. */
  find(accountId: string, avatarId: string): Promise<Avatar | undefined>;
  /** Reserves the id of the avatar with a source: returns the new id, or the one that was reserved before. */
  reserve(accountId: string, sourceInfluencerId: string, newId: string): Promise<string>;
}

const AvatarRow = once(() =>
  z.object({
    name: z.string(),
    image: StoredImage(),
    gender: z.exactOptional(z.string()),
    type: z.exactOptional(z.string()),
    sourceInfluencerId: z.exactOptional(z.string()),
    likenessConsent: z.exactOptional(z.boolean()),
    createdAt: z.int(),
  }),
);

const toAvatar = (accountId: string, item: Item): Avatar => ({
  accountId,
  avatarId: ownIdOf(item),
  ...parseRow('avatar', AvatarRow(), item),
});

const replaced = ['name', 'image', 'gender', 'type', 'sourceInfluencerId', 'likenessConsent'] as const;

/** Creates an avatar, or replaces everything but its id and creation time. */
export function putAvatar({ accountId, avatarId, createdAt, ...avatar }: Avatar): Action {
  const set = replaced.filter((name) => avatar[name] !== undefined);
  const removed = replaced.filter((name) => avatar[name] === undefined);
  const assignments = set.map((name) => `#${name} = :${name}`);
  const removal = removed.length > 0 ? ` REMOVE ${removed.map((name) => `#${name}`).join(', ')}` : '';
  return {
    Update: {
      Key: avatarKey(accountId, avatarId),
      UpdateExpression: `SET ${assignments.join(', ')}, #ownerPk = :ownerPk, #ownerSk = :ownerSk, createdAt = if_not_exists(createdAt, :createdAt)${removal}`,
      ExpressionAttributeNames: {
        '#ownerPk': indexes.byOwner.pk,
        '#ownerSk': indexes.byOwner.sk,
        ...Object.fromEntries(replaced.map((name) => [`#${name}`, name])),
      },
      ExpressionAttributeValues: {
        ...Object.fromEntries(set.map((name) => [`:${name}`, avatar[name]])),
        ':createdAt': createdAt,
        ':ownerPk': avatarsOwner(accountId),
        ':ownerSk': avatarId,
      },
    },
  };
}

/** Source ids are arbitrary text of up to 200 characters, so the key contains a digest. */
const originDigest = (origin: string): string => createHash('sha256').update(origin).digest('base64url');

export function avatarStore(table: Table): AvatarStore {
  return {
    async find(accountId, avatarId) {
      const item = await table.get(avatarKey(accountId, avatarId));
      return item && toAvatar(accountId, item);
    },
    async reserve(accountId, sourceInfluencerId, newId) {
      const Key = originKey(accountId, originDigest(sourceInfluencerId));
      const { avatarId } = await table.update({
        Key,
        UpdateExpression: 'SET avatarId = if_not_exists(avatarId, :new), #ownerPk = :ownerPk, #ownerSk = :ownerSk',
        ExpressionAttributeNames: { '#ownerPk': indexes.byOwner.pk, '#ownerSk': indexes.byOwner.sk },
        ExpressionAttributeValues: { ':new': newId, ':ownerPk': avatarOriginsOwner(accountId), ':ownerSk': Key.pk },
        ReturnValues: 'ALL_NEW',
      });
      return String(avatarId);
    },
  };
}
