/** Describes the target of the suite. */

/**
 * Features that not every host has. A test that needs a missing one is reported as not run, by its title.
 * - `browser`: Chromium is installed beside the host, for tests of pages.
 * - `dashboard`: a browser can be started, and the pages of the dashboard are served, deployed or by the tests themselves.
 * - `deployed`: it was deployed by the CDK, with logs and dead letters.
 * - `exact-paths`: a trailing slash makes a different path.
 * - `gateway-responses`: the gateway's own errors are the API's, in its envelope.
 * - `gateway-throttling`: the gateway itself rejects requests beyond its limit.
 * - `gateway-limits`: the gateway itself rejects bodies beyond its limit.
 * - `local-webhooks`: webhooks reach this machine, at 127.0.0.1.
 * - `no-engines`: the service has no engine, so that only test tokens can generate.
 * - `offline-engine`: the offline engine generates the media, and fails as a task's text requests.
 * - `payment-sandbox`: a sandbox takes the payments, at the address that the target names.
 * - `social-sandbox`: a sandbox stands in for social networks, at the address that the target names.
 */
export const allCapabilities = [
  'browser',
  'dashboard',
  'deployed',
  'exact-paths',
  'gateway-responses',
  'gateway-throttling',
  'gateway-limits',
  'local-webhooks',
  'no-engines',
  'offline-engine',
  'payment-sandbox',
  'social-sandbox',
] as const;

export type Capability = (typeof allCapabilities)[number];

export interface TargetDescription {
  readonly url: string;
  readonly capabilities: readonly Capability[];
  /** The URL of a deployed dashboard; without it, the tests serve one themselves. */
  readonly dashboardUrl?: string;
  /** The local identity provider that a deployed dashboard uses. */
  readonly identityUrl?: string;
  /** The sandbox for payments by PIX. */
  readonly pixSandbox?: string;
  /** The sandbox of social networks. */
  readonly socialSandbox?: string;
  /** The arguments of the operator's tool for this service. */
  readonly admin: { readonly args: readonly string[]; readonly environment: Readonly<Record<string, string>> };
}

/** The environment variable with the description as JSON. */
export const targetVariable = 'E2E_TARGET';
