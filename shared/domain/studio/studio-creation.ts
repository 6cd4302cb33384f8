/** Creates a Studio resource, once per idempotency key. */
import type * as z from 'zod';
import type { OperationContract } from '../../contracts/operation.ts';
import { uploadIdIn } from '../../contracts/uploads.ts';
import { addressesIn, pathText, type UserAddress } from '../../contracts/user-addresses.ts';
import type { Clock } from '../../platform/clock.ts';
import type { FileStorage } from '../../platform/file-storage.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type { Settings } from '../../platform/settings.ts';
import { whileOpen } from '../accounts/while-open.ts';
import { requireAvailable } from '../catalog/require-available.ts';
import { accountInputs } from '../files/account-inputs.ts';
import type { NamedFile } from '../files/use-files.ts';
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
  readonly settings: Pick<Settings, 'apiUrl'>;
}

/** The URLs in a request that are not uploads; uploads are checked when their content is read. */
export const outsideAddressesIn = (
  schema: z.ZodType,
  body: unknown,
  { apiUrl }: CreationNeeds['settings'],
): UserAddress[] => [...addressesIn(schema, body)].filter(({ text }) => uploadIdIn(apiUrl, text) === undefined);

/** The uploads to which a request refers by URL. */
export const uploadsIn = (schema: z.ZodType, body: unknown, { apiUrl }: CreationNeeds['settings']): NamedFile[] =>
  [...addressesIn(schema, body)].flatMap(({ path, text }) => {
    const fileId = uploadIdIn(apiUrl, text);
    return fileId === undefined ? [] : [{ path: pathText(path), fileId, by: 'url' as const }];
  });

export interface CreationRequest<Body> {
  readonly accountId: string;
  readonly body: Body;
  readonly idempotency: Idempotency | undefined;
}

/**
 * Creates a resource. @throws {Rejection} switched-off, forbidden, invalid, in-progress, other-body, and those that
 * creating this kind of resource throws
 */
export async function createOnce<Contract extends OperationContract & { readonly body: z.ZodType }, Body, Outside>(
  needs: CreationNeeds,
  contract: Contract,
  { accountId, body, idempotency }: CreationRequest<Body>,
  work: Omit<Work<Outside, z.input<Contract['success']['data']>>, 'isRepeatable'>,
) {
  await requireAvailable(needs, contract, accountId);
  await checkAddresses(needs, outsideAddressesIn(contract.body, body, needs.settings), accountInputs(needs, accountId));
  return runOnce(
    needs,
    { accountId, contract, idempotency },
    {
      ...work,
      isRepeatable: true,
      async commit(outside) {
        const { writes, data } = await work.commit(outside);
        return { writes: [whileOpen(accountId), ...writes], data };
      },
    },
  );
}
