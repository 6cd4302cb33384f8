/** Gives each version of a request an idempotency key of its own. */

/**
 * The code that the playground shows keeps its key while its request stays the same, so that running it twice creates
 * one task. A request that was changed, even back to an earlier version, gets a new key: with a used one, the service
 * would return the response of the earlier request.
 */
export function keyPerRequest(): (request: unknown) => string {
  let last: { readonly sent: string; readonly key: string } | undefined;
  return (request) => {
    const sent = JSON.stringify(request);
    if (last?.sent !== sent) last = { sent, key: crypto.randomUUID() };
    return last.key;
  };
}
