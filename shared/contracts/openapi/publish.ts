/** Fills a deployment's values into a published text. */
import { placeholders } from './published.ts';

interface Deployment {
  /** The base URL of the service, without a trailing slash. */
  readonly apiUrl: string;
  readonly version: string;
}

export const publish = (text: string, { apiUrl, version }: Deployment): string =>
  text.replaceAll(placeholders.serverUrl, () => apiUrl).replaceAll(placeholders.version, () => version);
