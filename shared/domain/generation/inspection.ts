/** What the inspection of a request can use, and what it records for the task. */
import type { UserAddress } from '../../contracts/user-addresses.ts';
import type { EngineRoute } from '../../engines/route.ts';
import type { MeasuringHost } from '../../media-files/read-media.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Settings } from '../../platform/settings.ts';
import type { VideoResolver } from '../../video-resolvers/video-resolver.ts';
import type { AccountInputs } from '../files/account-inputs.ts';
import type { FileFacts } from '../media/file-limits.ts';
import type { ServiceMetrics } from '../metrics.ts';
import { Rejection } from '../rejection.ts';
import type { Stores } from '../stores.ts';

export interface Inspection {
  readonly accountId: string;
  readonly catalog: Stores['catalog'];
  readonly clock: Clock;
  readonly metrics: ServiceMetrics;
  readonly table: Stores['table'];
  readonly settings: Pick<Settings, 'resultsUrl'>;
  /** Opens URLs, including those of the account's own uploads. */
  readonly outbound: Pick<AccountInputs, 'isUpload' | 'open'>;
  /** Starts measuring a media file; by default, on this thread. */
  readonly measuring?: MeasuringHost | undefined;
  /** The URLs in the request. */
  readonly addresses: readonly UserAddress[];
  /** The operation's routes, in order of preference. */
  readonly routes: readonly EngineRoute[];
  /**
   * Rejects the request now if the account could not create it on any of these routes, however little it cost, before
   * what is limited is used for it. @throws {Rejection} insufficient-credits, too-many-tasks, rate-limited, forbidden
   */
  readonly requireFunds: (routes: readonly EngineRoute[]) => void;
  /** The video resolver; present for operations that accept links to video sites. */
  readonly videoResolver?: VideoResolver | undefined;
  /** The store of products; present for Studio operations. */
  readonly products?: Stores['products'] | undefined;
  readonly avatars?: Stores['avatars'] | undefined;
  /** Facts about files, by field: they determine the route, and a file whose duration differs later is rejected. */
  readonly files: Map<string, FileFacts>;
}

/** Runs inspections concurrently. A rejection lists the problems of all of them. @throws {Rejection} invalid */
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
