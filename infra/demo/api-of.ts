/** Creates API clients for the demo's service. */
import { type Client, client } from '../../client/client.ts';

/** A client with the token, whose requests are aborted by the signal. */
export const apiOf =
  (baseUrl: string, token: string) =>
  (signal: AbortSignal): Client =>
    client({ baseUrl, token, fetch: (input, init) => fetch(input, { ...init, signal }) });
