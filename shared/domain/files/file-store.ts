/**
 * Stores the files of accounts. An unused file expires; the first transaction that uses it determines its final
 * content.
 */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import { uploadTypes } from '../../contracts/uploads.ts';
import type { Action, Item, Table } from '../../platform/dynamo-table.ts';
import { filesOwner, indexes } from '../index-keys.ts';
import { expiryAttribute, fileKey, ownIdOf } from '../keys.ts';
import { parseRow } from '../stored-row.ts';
import { type File, unusedUntil, uploadKey } from './file.ts';

export interface FileStore {
  /** The given files of an account that exist and have not expired, unordered. */
  findMany(accountId: string, fileIds: readonly string[], now: number): Promise<File[]>;
}

const FileRow = once(() =>
  z.object({
    contentType: z.enum(uploadTypes),
    bytes: z.int(),
    secret: z.string(),
    createdAt: z.int(),
    keptDays: z.exactOptional(z.int()),
    uploadId: z.exactOptional(z.string()),
    key: z.exactOptional(z.string()),
  }),
);

const toFile = (accountId: string, item: Item): File => ({
  accountId,
  fileId: ownIdOf(item),
  ...parseRow('file', FileRow(), item),
});

/** The key of the upload of a file, from its row. */
export const uploadKeyIn = (row: Item): string =>
  uploadKey({ fileId: ownIdOf(row), ...(typeof row.keptDays === 'number' && { keptDays: row.keptDays }) });

/** Whether a file still exists, judged by its own expiry, because DynamoDB removes expired items late. */
const isThere = (file: File, now: number): boolean => file.key !== undefined || unusedUntil(file) > now;

export const insertFile = ({ accountId, fileId, ...file }: File): Action => ({
  Put: {
    Item: {
      ...fileKey(accountId, fileId),
      ...file,
      [expiryAttribute]: Math.ceil(unusedUntil(file) / 1000),
      [indexes.byOwner.pk]: filesOwner(accountId),
      [indexes.byOwner.sk]: fileId,
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** Keeps a file permanently; fails if another request has kept different content, or if the file no longer exists. */
export const keepFile = ({ accountId, fileId }: File, key: string): Action => ({
  Update: {
    Key: fileKey(accountId, fileId),
    UpdateExpression: 'SET #key = :key REMOVE #expiry',
    ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(#key) OR #key = :key)',
    ExpressionAttributeNames: { '#key': 'key', '#expiry': expiryAttribute },
    ExpressionAttributeValues: { ':key': key },
  },
});

export function fileStore(table: Table): FileStore {
  return {
    async findMany(accountId, fileIds, now) {
      if (fileIds.length === 0) return [];
      const found = await table.getMany(fileIds.map((fileId) => fileKey(accountId, fileId)));
      return found.map((item) => toFile(accountId, item)).filter((file) => isThere(file, now));
    },
  };
}
