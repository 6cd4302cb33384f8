/** Checks where the URLs of a request lead, without fetching anything. */
import { urlExpectation } from '../../contracts/fields.ts';
import { pathText, type UserAddress } from '../../contracts/user-addresses.ts';
import type { Outbound } from '../../platform/outbound.ts';
import { Rejection } from '../rejection.ts';

/** Rejects URLs that lead to a private host, by what their names resolve to now. @throws {Rejection} invalid */
export async function checkAddresses(
  { outbound }: { readonly outbound: Pick<Outbound, 'admits'> },
  addresses: readonly UserAddress[],
): Promise<void> {
  const admitted = await Promise.all(addresses.map(({ text }) => outbound.admits(text)));
  const problems = addresses
    .filter((_, index) => !admitted[index])
    .map(({ path }) => `${pathText(path)} ${urlExpectation}, and must not resolve to a private address`);
  if (problems.length > 0) throw new Rejection('invalid', { message: problems.join('; ') });
}
