/** Deletes stored files at the same age as the lifecycle rules of the buckets on AWS. */
import { DeleteObjectsCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import type { Clock } from '../../shared/platform/clock.ts';
import { inFlight, withinGrace } from './in-flight.ts';
import { localAccess } from './local-access.ts';

export interface ExpiryRule {
  readonly bucket: string;
  /** The prefix of the keys. */
  readonly prefix: string;
  readonly days: number;
}

export interface ObjectExpiryOptions {
  readonly storageUrl: string;
  readonly rules: readonly ExpiryRule[];
  readonly clock: Clock;
}

const dayMs = 24 * 3600 * 1000;
const everyMs = 3600 * 1000;

async function expireIn(
  s3: S3Client,
  { bucket: Bucket, prefix: Prefix, days }: ExpiryRule,
  now: number,
): Promise<void> {
  const before = now - days * dayMs;
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket, Prefix })) {
    const expired = Contents.filter(
      ({ LastModified }) => LastModified !== undefined && LastModified.getTime() < before,
    );
    const Objects = expired.map(({ Key }) => ({ Key }));
    if (Objects.length > 0) await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
  }
}

export async function expireObjects({ storageUrl, rules, clock }: ObjectExpiryOptions): Promise<void> {
  const s3 = new S3Client({ ...localAccess(storageUrl), forcePathStyle: true });
  try {
    for (const rule of rules) await expireIn(s3, rule, clock.now());
  } finally {
    s3.destroy();
  }
}

/** Runs immediately and every hour. `close` waits a few seconds for a run in progress. */
export function startObjectExpiry(options: ObjectExpiryOptions): { close(): Promise<void> } {
  const runs = inFlight();
  const run = (): void =>
    runs.add(
      expireObjects(options).catch((error: Error) => {
        process.stderr.write(`Expired files could not be deleted: ${error.name}.\n`);
      }),
    );
  run();
  const timer = setInterval(run, everyMs);
  return {
    close: () => {
      clearInterval(timer);
      return withinGrace(runs.all());
    },
  };
}
