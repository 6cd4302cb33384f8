/** The part of an act that its form on the operators' pages is made of. */
import * as z from 'zod';
import { id } from '../../contracts/fields.ts';
import type { OperatorRole } from '../../contracts/operator-roles.ts';

interface ActForm {
  readonly name: string;
  /** The least role that may perform the act. */
  readonly role: Exclude<OperatorRole, 'viewer'>;
  /** What the act does, in the imperative. */
  readonly summary: string;
  readonly input: () => z.ZodType;
}

export type ActForms = Readonly<Record<string, ActForm>>;

/** The input of acts on an account that need nothing else. */
export const onAccount = () => z.strictObject({ account: id() });
