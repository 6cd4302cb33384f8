/** The groups of the operators' identity provider, one for each role. */
import { type OperatorRole, operatorRoles } from '../../contracts/operator-roles.ts';

/** The group whose members have a role. */
export const groupOf = (role: OperatorRole): string => `operators-${role}`;

/** The highest role among a person's groups; undefined if they are no operator. */
export const roleIn = (groups: readonly string[]): OperatorRole | undefined =>
  operatorRoles.findLast((role) => groups.includes(groupOf(role)));
