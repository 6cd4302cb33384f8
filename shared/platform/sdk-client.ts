/** How patient the AWS clients are: a silent endpoint is given up and tried again, never waited for. */

const requestHandler = (requestTimeout: number) => ({
  connectionTimeout: 2000,
  requestTimeout,
  // Without this the client merely warns, and waits on.
  throwOnRequestTimeout: true,
});

/** For what a request waits for: with its retries it ends well within a function's time. */
export const patientClient = { requestHandler: requestHandler(3000), maxAttempts: 3 };

/** For files: a part of them may take its time, a connection may not. */
export const storageClient = { requestHandler: requestHandler(10_000), maxAttempts: 3 };

/** For what somebody else makes up for when it fails. */
export const impatientClient = { requestHandler: requestHandler(1500), maxAttempts: 2 };
