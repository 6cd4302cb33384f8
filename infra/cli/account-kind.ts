/** Names an account on the command line: by its id, or by the e-mail address of its owner. */
import { findAnything } from '../../shared/domain/search/find-anything.ts';
import { isTestAccount } from '../../shared/domain/test-account.ts';
import type { ValueKind } from './command.ts';
import { commandFailed } from './exit-error.ts';
import type { Service } from './service.ts';
import { emailAddress, idOf } from './value-kinds.ts';

const id = idOf('ACCOUNT', 'as shown by "account list"');

/**
 * The id of the only account whose owner has this address, without regard to case. The messages do not repeat the
 * address. @throws {ExitError} if there is none, or more than one
 */
async function ownedBy(service: Service, address: string): Promise<string> {
  const { found } = await findAnything(service, address);
  const owned = found.filter(
    (thing) =>
      thing.kind === 'account' && thing.email?.toLowerCase() === address.toLowerCase() && !isTestAccount(thing.id),
  );
  const [first, ...others] = owned.map((thing) => thing.id);
  if (first === undefined) {
    throw commandFailed('No account has an owner with this e-mail address: "find" also searches for names and ids.');
  }
  if (others.length > 0) {
    throw commandFailed(
      `${owned.length} accounts have an owner with this e-mail address: choose one by its id: ${[first, ...others].join(', ')}.`,
    );
  }
  return first;
}

/** An account; a command gets its id. */
export const accountId: ValueKind<string> = {
  placeholder: 'ACCOUNT',
  accepts: `${id.accepts}, or the e-mail address of the owner`,
  parse: (value) => id.parse(value) ?? emailAddress.parse(value),
  resolve: async (value, service) => (id.parse(value) === undefined ? ownedBy(await service(), value) : value),
};
