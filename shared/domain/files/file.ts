/** A file that an account uploads: where it is uploaded to, and where its image is kept once it is used. */
import { createHash } from 'node:crypto';
import { unusedFilesRetentionDays } from '../../contracts/limits.ts';
import { type MediaType, mediaTypes } from '../../contracts/media.ts';
import { dayMs } from '../../platform/clock.ts';
import type { Retention } from '../retention.ts';

export interface File {
  readonly accountId: string;
  readonly fileId: string;
  readonly contentType: MediaType;
  readonly bytes: number;
  /** Random text that makes the permanent URL unguessable. */
  readonly secret: string;
  readonly createdAt: number;
  /** For how many days the unused file is kept, if its account wants fewer than the service keeps files by default. */
  readonly keptDays?: number;
  /** The id of the multipart upload, if the file is sent in parts. */
  readonly uploadId?: string;
  /** The permanent key of the image in the results bucket; absent while the file is unused. */
  readonly key?: string;
}

/** How long an upload, or each of its parts, may be started. */
export const uploadSeconds = 3600;

/** The folder of uploads that the storage deletes after a number of days; those in no such folder are kept longest. */
export const uploadsFolder = (keptDays: number): string => `uploads/${keptDays}d/`;

/** The key of an upload in the inputs bucket. */
export const uploadKey = ({ fileId, keptDays }: Pick<File, 'fileId' | 'keptDays'>): string =>
  `${keptDays === undefined ? 'uploads/' : uploadsFolder(keptDays)}${fileId}`;

/** After how many days uploads may be deleted earlier than by default. */
export const shorterKeptDays = (): readonly number[] =>
  Array.from({ length: unusedFilesRetentionDays - 1 }, (_, index) => index + 1);

/** For how many days a file is kept whose account keeps inputs for this long; undefined for the default. */
export const keptDaysOf = ({ inputsDays = unusedFilesRetentionDays }: Retention = {}): number | undefined =>
  inputsDays < unusedFilesRetentionDays ? inputsDays : undefined;

/** Whether the content of an upload can no longer change; with a form, a file can be sent again. */
export const isFixed = ({ key, uploadId }: File): boolean => key !== undefined || uploadId !== undefined;

/** When an unused file expires. */
export const unusedUntil = ({ createdAt, keptDays }: Pick<File, 'createdAt' | 'keptDays'>): number =>
  createdAt + (keptDays ?? unusedFilesRetentionDays) * dayMs;

/** The permanent key of an image, which includes a digest of its bytes, so that the object at a key never changes. */
export function imageKey({ fileId, secret }: Pick<File, 'fileId' | 'secret'>, image: Uint8Array, type: MediaType) {
  const digest = createHash('sha256').update(secret).update(image).digest('hex').slice(0, 32);
  return `files/${fileId}-${digest}.${mediaTypes[type].extension}`;
}
