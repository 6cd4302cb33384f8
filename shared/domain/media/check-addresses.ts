/** Checks what the URLs of a request lead to, without downloading anything. */
import { urlExpectation } from '../../contracts/url-fields.ts';
import { pathText, type UserAddress } from '../../contracts/user-addresses.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type { AccountInputs } from '../files/account-inputs.ts';
import { Rejection } from '../rejection.ts';

interface Needs {
  readonly outbound: Pick<Outbound, 'admits'>;
}

const privateAddress = `${urlExpectation}, and must not resolve to a private address`;

/** The problem of a URL: its host currently resolves to a private address, or the account has no such upload. */
async function problemOf(
  { outbound }: Needs,
  { leadsTo, text }: UserAddress,
  inputs: Pick<AccountInputs, 'isUpload' | 'problemOf'>,
): Promise<string | undefined> {
  if (leadsTo !== 'receiver' && inputs.isUpload(text)) return inputs.problemOf(text);
  return (await outbound.admits(text)) ? undefined : privateAddress;
}

/**
 * Rejects URLs that lead to a private host or to an upload that the account does not have. @throws {Rejection} invalid
 */
export async function checkAddresses(
  needs: Needs,
  addresses: readonly UserAddress[],
  inputs: Pick<AccountInputs, 'isUpload' | 'problemOf'>,
): Promise<void> {
  const found = await Promise.all(addresses.map((address) => problemOf(needs, address, inputs)));
  const problems = addresses.flatMap(({ path }, index) =>
    found[index] === undefined ? [] : [`${pathText(path)} ${found[index]}`],
  );
  if (problems.length > 0) throw new Rejection('invalid', { message: problems.join('; ') });
}
