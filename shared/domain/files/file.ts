/** A file that an account uploads: where it is uploaded to, and where its image is kept once it is used. */
import { createHash } from 'node:crypto';
import { unusedFilesRetentionDays } from '../../contracts/limits.ts';
import { type MediaType, mediaTypes } from '../../contracts/media.ts';

export interface File {
  readonly accountId: string;
  readonly fileId: string;
  readonly contentType: MediaType;
  readonly bytes: number;
  /** Random text that makes the permanent URL unguessable. */
  readonly secret: string;
  readonly createdAt: number;
  /** The id of the multipart upload, if the file is sent in parts. */
  readonly uploadId?: string;
  /** The permanent key of the image in the results bucket; absent while the file is unused. */
  readonly key?: string;
}

/** How long an upload, or each of its parts, may be started. */
export const uploadSeconds = 3600;

/** The key of an upload in the inputs bucket. */
export const uploadKey = ({ fileId }: Pick<File, 'fileId'>): string => `uploads/${fileId}`;

/** Whether the content of an upload can no longer change; with a form, a file can be sent again. */
export const isFixed = ({ key, uploadId }: File): boolean => key !== undefined || uploadId !== undefined;

/** When an unused file expires. */
export const unusedUntil = (createdAt: number): number => createdAt + unusedFilesRetentionDays * 24 * 3_600_000;

/** The permanent key of an image, which includes a digest of its bytes, so that the object at a key never changes. */
export function imageKey({ fileId, secret }: Pick<File, 'fileId' | 'secret'>, image: Uint8Array, type: MediaType) {
  const digest = createHash('sha256').update(secret).update(image).digest('hex').slice(0, 32);
  return `files/${fileId}-${digest}.${mediaTypes[type].extension}`;
}
