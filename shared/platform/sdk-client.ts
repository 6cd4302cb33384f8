/** Timeouts of the AWS clients: a request to an endpoint that does not respond is aborted and retried. */

const requestHandler = (requestTimeout: number) => ({
  connectionTimeout: 2000,
  requestTimeout,
  // By default, the SDK's client only logs a warning and keeps waiting.
  throwOnRequestTimeout: true,
});

/** Timeouts for calls that a client is waiting for: including retries, they end well within a function's time limit. */
export const mediumTimeoutClient = { requestHandler: requestHandler(3000), maxAttempts: 3 };

/** Timeouts for file transfers, which may take long, although connecting must be quick. */
export const storageClient = { requestHandler: requestHandler(10_000), maxAttempts: 3 };

/** Timeouts for calls whose failure is handled elsewhere, such as by a schedule. */
export const shortTimeoutClient = { requestHandler: requestHandler(1500), maxAttempts: 2 };
