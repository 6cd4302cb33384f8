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

/** Fifteen seconds of speech at 64 kbit/s, and five of video at 5 Mbit/s. */
export const resultBytes = { speech: 120_000, video: 3_000_000 } as const;

export const resultDays = 90;

export const assumptionTexts: readonly string[] = [
  `Durations were measured on this machine, with ${tripDelayMs} ms added to each request to DynamoDB and Step Functions.`,
  `Each invocation is billed at least ${leastBilledMs} ms; every ${callsPerStart}th is a cold start of ${startMs} ms.`,
  `Engines and webhook receivers respond after ${outsideMs} ms.`,
  `Speech is ${resultBytes.speech / 1000} kB, a video ${resultBytes.video / 1000} kB, stored for ${resultDays} days and downloaded from the bucket once.`,
  'Each entry into a state and each retry of it is a state transition.',
  'It is unknown whether AWS also charges the transition to the end: totals are ranges, without and with it.',
  `The access log has ${accessLogBytes} bytes per request; each log line counts ${logLineOverheadBytes} additional bytes.`,
];
