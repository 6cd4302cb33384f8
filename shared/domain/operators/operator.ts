/** Who operates the service. */
import type { OperatorRole } from '../../contracts/operator-roles.ts';

export interface Operator {
  /** Identifies a person: the identity provider's subject, or on the command line what AWS proves about the caller. */
  readonly id: string;
  readonly name: string;
  readonly role: OperatorRole;
}
