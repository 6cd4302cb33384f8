/** What the suite has to know of where it runs. */

/**
 * What not every host can do. A test that needs it is reported as not run there, by its title.
 * - `deployed`: it was deployed by the CDK, with logs and dead letters.
 * - `exact-paths`: a slash at the end makes another path.
 * - `gateway-responses`: the gateway's own errors are the API's, in its envelope.
 * - `gateway-throttling`: the gateway itself refuses more requests than it is set to let through.
 * - `gateway-limits`: the gateway itself refuses bodies that are too large for it.
 * - `local-webhooks`: webhooks reach this machine, at 127.0.0.1.
 * - `offline-engine`: the offline engine makes the media, which fails as a text of a task wishes.
 */
export const allCapabilities = [
  'deployed',
  'exact-paths',
  'gateway-responses',
  'gateway-throttling',
  'gateway-limits',
  'local-webhooks',
  'offline-engine',
] as const;

export type Capability = (typeof allCapabilities)[number];

export interface TargetDescription {
  readonly url: string;
  readonly capabilities: readonly Capability[];
  /** What the operator's tool is called with for this service. */
  readonly admin: { readonly args: readonly string[]; readonly environment: Readonly<Record<string, string>> };
}

/** The variable that says all of it, as JSON. */
export const targetVariable = 'E2E_TARGET';
