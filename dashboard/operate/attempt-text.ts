/** How an attempt to deliver a webhook ended, in plain words. */
interface Attempt {
  /** The HTTP status of the response, if there was one. */
  readonly statusCode?: number | null | undefined;
  /** The stored reason of a failure. */
  readonly error?: string | null | undefined;
}

const reasons: Readonly<Record<string, string>> = {
  timeout: 'no response in time',
  dns: 'host not found',
  connection: 'no connection',
  tls: 'no secure connection',
  protocol: 'no HTTP response',
};

/** The status of the receiver's response, or why there was none. */
export function attemptText(number: number, { error, statusCode }: Attempt): string {
  const failure = error === null || error === undefined ? 'delivered' : (reasons[error] ?? error);
  return `attempt ${number}: ${typeof statusCode === 'number' ? `HTTP ${statusCode}` : failure}`;
}
