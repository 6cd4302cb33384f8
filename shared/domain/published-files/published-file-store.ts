/**
 * Remembers which files the service has published, by their digests, without anything that leads to an account or a
 * task.
 */
import * as z from 'zod';
import { generationOf } from '../../contracts/generate.ts';
import { mediaKinds } from '../../contracts/media.ts';
import { once } from '../../contracts/once.ts';
import { type DigitalSourceType, digitalSourceTypes } from '../../contracts/provenance.ts';
import { dayAt, dayMs } from '../../platform/clock.ts';
import type { Action, Table } from '../../platform/dynamo-table.ts';
import { fileAddressesOf } from '../generation/file-addresses.ts';
import { expiryAttribute, publishedFileKey } from '../keys.ts';
import { parseRow } from '../stored-row.ts';
import type { StoredResult, Task } from '../tasks/task.ts';
import { isTestAccount } from '../test-account.ts';

const PublishedFileRow = once(() =>
  z.object({
    /** A day in UTC: a more precise time could reveal when an account did something. */
    publishedAt: z.iso.date(),
    medium: z.enum(mediaKinds),
    digitalSourceType: z.enum(digitalSourceTypes),
    [expiryAttribute]: z.int(),
  }),
);

export type PublishedFile = Omit<z.output<ReturnType<typeof PublishedFileRow>>, typeof expiryAttribute>;

export interface PublishedFileStore {
  /**
   * Undefined if the service has not published such a file, or published it so long ago that the record has expired.
   */
  find(sha256: string, now: number): Promise<PublishedFile | undefined>;
}

/** How the results of a task were made: from text alone, or also from files. */
export const digitalSourceTypeOf = (task: Pick<Task, 'taskType' | 'input' | 'derived'>): DigitalSourceType =>
  fileAddressesOf(task).length > 0 ? 'compositeWithTrainedAlgorithmicMedia' : 'trainedAlgorithmicMedia';

/**
 * The writes that record the results of a completed task. Two results may be the same file, and a file may have been
 * published before. Results of test tokens are not recorded, because no real engine made them.
 */
export function rememberPublished(
  task: Pick<Task, 'accountId' | 'taskType' | 'input' | 'derived'>,
  results: readonly Pick<StoredResult, 'sha256'>[],
  { at, keptDays }: { readonly at: number; readonly keptDays: number },
): Action[] {
  if (isTestAccount(task.accountId)) return [];
  const digests = new Set(results.flatMap(({ sha256 }) => sha256 ?? []));
  return [...digests].map((sha256) => ({
    Update: {
      Key: publishedFileKey(sha256),
      UpdateExpression:
        'SET publishedAt = if_not_exists(publishedAt, :day), medium = :medium, digitalSourceType = :made, #expiry = :expiry',
      ExpressionAttributeNames: { '#expiry': expiryAttribute },
      ExpressionAttributeValues: {
        ':day': dayAt(at),
        ':medium': generationOf(task.taskType).medium,
        ':made': digitalSourceTypeOf(task),
        ':expiry': Math.ceil((at + keptDays * dayMs) / 1000),
      },
    },
  }));
}

export const publishedFileStore = (table: Table): PublishedFileStore => ({
  async find(sha256, now) {
    const item = await table.get(publishedFileKey(sha256));
    if (!item) return undefined;
    const { [expiryAttribute]: expiry, ...file } = parseRow('published file', PublishedFileRow(), item);
    return expiry * 1000 > now ? file : undefined;
  },
});
