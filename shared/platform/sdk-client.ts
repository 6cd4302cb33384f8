/** Timeouts of the AWS clients: a request to a silent endpoint is aborted and retried. */

const requestHandler = (requestTimeout: number) => ({
  connectionTimeout: 2000,
  requestTimeout,
  // Without this the client only warns and keeps waiting.
  throwOnRequestTimeout: true,
});

/** For calls that a request waits for: with retries they end well within a function's time limit. */
export const patientClient = { requestHandler: requestHandler(3000), maxAttempts: 3 };

/** For files: transferring a part may take long, connecting may not. */
export const storageClient = { requestHandler: requestHandler(10_000), maxAttempts: 3 };

/** For calls whose failure is repaired elsewhere. */
export const impatientClient = { requestHandler: requestHandler(1500), maxAttempts: 2 };
