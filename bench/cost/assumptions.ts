/** Assumptions about AWS and external parties that a local run cannot measure; printed with every result. */

/** Added to every request to DynamoDB and Step Functions, as if there were a network. */
export const tripDelayMs = 5;

/** How long an engine and a webhook receiver take to respond. */
export const outsideMs = 300;

/** The minimum duration of an invocation: 512 MB come with a third of a processor. */
export const leastBilledMs = 25;

/** One invocation in this many is a cold start, whose duration is billed as well. */
const callsPerStart = 100;
const startMs = 300;

export const startMsPerCall = startMs / callsPerStart;

/** The size of an access log line; Lambda's own log lines are switched off. */
export const accessLogBytes = 270;

/** What CloudWatch charges per line in addition to its text. */
export const logLineOverheadBytes = 26;

/** Fifteen seconds of speech at 64 kbit/s. */
export const resultBytes = 120_000;

export const resultDays = 90;

export const assumptionTexts: readonly string[] = [
  `Milliseconds are this machine's, with ${tripDelayMs} ms added to each request to DynamoDB and Step Functions.`,
  `A call is billed with at least ${leastBilledMs} ms, and every ${callsPerStart}th with a start of ${startMs} ms.`,
  `Engines and webhook receivers respond after ${outsideMs} ms.`,
  `A result has ${resultBytes / 1000} kB, is kept ${resultDays} days and fetched from the bucket once.`,
  'A state transition is a state that is entered, and each further attempt at it.',
  'Whether AWS counts the transition to the end as one more is not known: totals are ranges, without and with it.',
  `The access log has ${accessLogBytes} bytes for a request; every line counts ${logLineOverheadBytes} bytes more.`,
];
