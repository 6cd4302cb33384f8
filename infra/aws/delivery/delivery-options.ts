/** The settings of a delivery stack, from the context of the CDK's command line. */
import * as z from 'zod';

const DeliveryOptions = z.strictObject({
  /** The repository on GitHub that may deploy. */
  repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'must be the owner and name of a repository, such as acme/media'),
  /** The environments of the repository whose jobs may deploy to this account. */
  environments: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,19}(,[a-z][a-z0-9]{0,19})*$/, 'must be environments of the repository, such as dev,prod')
    .transform((names) => names.split(',')),
  /** Who is notified of the costs. */
  email: z.email('must be an email address'),
  /** The monthly budget. */
  dollars: z.coerce.number('must be a number of dollars').positive('must be a number of dollars'),
  /** The ARN of the account's identity provider for GitHub, if it already has one. */
  provider: z
    .string()
    .regex(/^arn:aws[\w-]*:iam::\d{12}:oidc-provider\//, 'must be the ARN of an identity provider')
    .exactOptional(),
});

export type DeliveryOptions = z.output<typeof DeliveryOptions>;

/** Reads the settings by their names. @throws {Error} that says what is invalid and what would be accepted */
export function deliveryOptions(contextOf: (name: string) => unknown): DeliveryOptions {
  const names = Object.keys(DeliveryOptions.shape);
  const given = names.map((name) => [name, contextOf(name)] as const).filter(([, value]) => value !== undefined);
  const { data, error } = DeliveryOptions.safeParse(Object.fromEntries(given));
  if (error) throw new Error(error.issues.map(({ path, message }) => `-c ${path.join('.')}=…: ${message}`).join('\n'));
  return data;
}
