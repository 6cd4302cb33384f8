/** Completes a published text with the facts of a deployment. */
import { placeholders } from './published.ts';

interface Deployment {
  /** Where the service is reached, without a trailing slash. */
  readonly apiUrl: string;
  readonly version: string;
}

export const publish = (text: string, { apiUrl, version }: Deployment): string =>
  text.replaceAll(placeholders.serverUrl, () => apiUrl).replaceAll(placeholders.version, () => version);
