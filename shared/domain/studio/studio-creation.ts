/** Creates a resource of the Studio, once for each idempotency key. */
import type * as z from 'zod';
import type { OperationContract } from '../../contracts/operation.ts';
import { addressesIn } from '../../contracts/user-addresses.ts';
import type { Clock } from '../../platform/clock.ts';
import type { FileStorage } from '../../platform/file-storage.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Outbound } from '../../platform/outbound.ts';
import { requireAvailable } from '../catalog/require-available.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import { runOnce, type Work } from '../idempotency/run-once.ts';
import { checkAddresses } from '../media/check-addresses.ts';
import type { Stores } from '../stores.ts';

export interface CreationNeeds extends Pick<Stores, 'accounts' | 'catalog' | 'files' | 'table'> {
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

/** @throws {Rejection} switched-off, forbidden, invalid, in-progress, other-body, and what the work throws */
export async function createOnce<Contract extends OperationContract & { readonly body: z.ZodType }, Body, Outside>(
  needs: CreationNeeds,
  contract: Contract,
  { accountId, body, idempotency }: CreationRequest<Body>,
  work: Omit<Work<Outside, z.input<Contract['success']['data']>>, 'isRepeatable'>,
) {
  await requireAvailable(needs, contract, accountId);
  await checkAddresses(needs, [...addressesIn(contract.body, body)]);
  return runOnce(needs, { accountId, contract, idempotency }, { ...work, isRepeatable: true });
}
