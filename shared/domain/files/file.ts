/** A file that an account uploads: where it goes, and where its image is kept once something uses it. */
import { createHash } from 'node:crypto';
import { unusedFilesRetentionDays } from '../../contracts/limits.ts';
import { type MediaType, mediaTypes } from '../../contracts/media.ts';

export interface File {
  readonly accountId: string;
  readonly fileId: string;
  readonly contentType: MediaType;
  readonly bytes: number;
  /** Makes the permanent address unguessable. */
  readonly secret: string;
  readonly createdAt: number;
  /** The upload that puts it together, if it is sent in parts. */
  readonly uploadId?: string;
  /** The permanent key of its image in the results bucket; absent while nothing uses the file. */
  readonly key?: string;
}

/** How long an upload may begin: by its form, and each of its parts. */
export const uploadSeconds = 3600;

/** Where a file is uploaded to, in the inputs bucket. */
export const uploadKey = ({ fileId }: Pick<File, 'fileId'>): string => `uploads/${fileId}`;

/** Whether its content can no longer change once it is uploaded: a form can be sent again. */
export const isFixed = ({ key, uploadId }: File): boolean => key !== undefined || uploadId !== undefined;

/** When an unused file is gone. */
export const unusedUntil = (createdAt: number): number => createdAt + unusedFilesRetentionDays * 24 * 3_600_000;

/** The permanent key of an image: other bytes have another one, so what is stored there never changes. */
export function imageKey({ fileId, secret }: Pick<File, 'fileId' | 'secret'>, image: Uint8Array, type: MediaType) {
  const digest = createHash('sha256').update(secret).update(image).digest('hex').slice(0, 32);
  return `files/${fileId}-${digest}.${mediaTypes[type].extension}`;
}
