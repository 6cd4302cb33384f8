/** What an operation's inspection of a request can use, and what it records for the task. */
import type { UserAddress } from '../../contracts/user-addresses.ts';
import type { EngineRoute } from '../../engines/route.ts';
import type { StartMeasuring } from '../../media-files/read-media.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type { Settings } from '../../platform/settings.ts';
import type { VideoResolver } from '../../video-resolvers/video-resolver.ts';
import type { FileFacts } from '../media/file-limits.ts';
import { Rejection } from '../rejection.ts';
import type { Stores } from '../stores.ts';

export interface Inspection {
  readonly accountId: string;
  readonly catalog: Stores['catalog'];
  readonly settings: Pick<Settings, 'resultsUrl'>;
  /** Opens the account's own uploads too. */
  readonly outbound: Pick<Outbound, 'open'>;
  /** Where media files are measured, unless in this thread. */
  readonly startMeasuring?: StartMeasuring;
  /** The URLs that the request names. */
  readonly addresses: readonly UserAddress[];
  /** The routes of the operation, in order of preference. */
  readonly routes: readonly EngineRoute[];
  /** Only for operations that accept links to platforms. */
  readonly videoResolver?: VideoResolver;
  /** Only for the Studio. */
  readonly products?: Stores['products'];
  readonly avatars?: Stores['avatars'];
  /** What was found out about files, by field: routes are chosen by it, and only files of the same duration are worked on afterwards. */
  readonly files: Map<string, FileFacts>;
}

/**
 * The findings of inspections that run concurrently. A rejection names the problems of all.
 * @throws {Rejection} invalid
 */
export async function inspectAll<const Findings extends readonly unknown[]>(
  ...inspections: { readonly [Index in keyof Findings]: Promise<Findings[Index]> }
): Promise<Findings> {
  const settled = await Promise.allSettled(inspections);
  const reasons = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  for (const reason of reasons) if (!(reason instanceof Rejection)) throw reason;
  const messages = (reasons as readonly Rejection[]).map(({ message }) => message);
  if (messages.length > 0) throw new Rejection('invalid', { message: messages.join('; ') });
  return Promise.all(inspections) as Promise<unknown> as Promise<Findings>;
}
