/** What creating a resource of the Studio needs and receives. */
import type { Clock } from '../../platform/clock.ts';
import type { FileStorage } from '../../platform/file-storage.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { Stores } from '../stores.ts';

export interface CreationNeeds extends Stores {
  readonly clock: Clock;
  readonly fileStorage: FileStorage;
  readonly ids: Ids;
  readonly outbound: Outbound;
  readonly pause: (milliseconds: number) => Promise<void>;
}

export interface CreationRequest<Body> {
  readonly accountId: string;
  readonly body: Body;
  readonly idempotency: Idempotency | undefined;
}
