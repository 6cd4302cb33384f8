/** Who operates the service. */
import type { OperatorRole } from '../../contracts/operator-roles.ts';

export interface Operator {
  /** Identifies a person: the identity provider's subject, or the ARN of the caller on the command line. */
  readonly id: string;
  readonly name: string;
  readonly role: OperatorRole;
}
