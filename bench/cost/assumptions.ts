/** Assumptions about AWS and external parties that a local run cannot measure; printed with every result. */
import { inputsRetentionDays } from '../../infra/hosting.ts';
import { ugcVideo } from '../../shared/contracts/generate-videos.ts';
import { resultsRetentionDays } from '../../shared/contracts/limits.ts';
import type { Kind } from './task-record.ts';

/** Simulated network latency of every request to DynamoDB and Step Functions. */
export const tripDelayMs = 5;

/** How long an engine and a webhook receiver take to respond. */
export const outsideMs = 300;

/** The shortest duration that an invocation takes: its 512 MB of memory come with a third of a processor. */
export const minBilledMs = 25;

/** One invocation in this many is a cold start, whose duration is billed as well. */
const callsPerStart = 100;
const startMs = 300;

export const startMsPerCall = startMs / callsPerStart;

/** The size of an access log line; Lambda's own log lines are switched off. */
export const accessLogBytes = 270;

/** What CloudWatch charges per line in addition to its text. */
export const logLineOverheadBytes = 26;

/** The size of fifteen seconds of speech at 64 kbit/s. */
const speechBytes = 120_000;

/** The sizes of a minute of speech: 128 kbit/s as recorded, 64 kbit/s with the voice changed. */
const recordingBytes = 950_000;
const changedBytes = 480_000;

/** The data rate of 720p videos, 5 Mbit/s, which also applies to videos to imitate. */
export const videoBytesPerSecond = 625_000;

/** The size of a phone's photograph. */
const imageBytes = 2_000_000;

/** Assumed durations of videos that have no default; the others have the contract's default. */
const imitatedSeconds = 10;
export const studioSeconds = 8;
const videoSeconds = { creative: 5, ugc: ugcVideo.durationSec, imitate: imitatedSeconds, studio: studioSeconds };

/** The size of a task's result; the results in a measured run are tiny. */
export function resultBytesOf(kind: Kind): number {
  if (kind === 'speech') return speechBytes;
  return kind === 'voice-change' ? changedBytes : videoSeconds[kind] * videoBytesPerSecond;
}

/** The size of a file that a task refers to, by its content type. */
export function inputBytesOf(contentType: string): number {
  if (contentType.startsWith('image/')) return imageBytes;
  return contentType.startsWith('audio/') ? recordingBytes : imitatedSeconds * videoBytesPerSecond;
}

/** How long engines take for a video: from experience with similar models, not measured. */
export const videoJobSeconds = { creative: 90, ugc: 90, imitate: 300, studio: 150 } as const;

/** How long engines take to change a voice: about half as long as the recording. */
export const voiceChangeJobSeconds = 30;

/** How much longer a task is open than its engine works. */
export const openSeconds = 2;

export const assumptionTexts: readonly string[] = [
  `Durations were measured on this machine, with ${tripDelayMs} ms added to each request to DynamoDB and Step Functions.`,
  `Each invocation is billed at least ${minBilledMs} ms; every ${callsPerStart}th is a cold start of ${startMs} ms.`,
  `Engines and webhook receivers respond after ${outsideMs} ms; like fal.ai, engines call back once, when a job has ended.`,
  'Each result gets Content Credentials, signed in KMS.',
  `Speech is ${speechBytes / 1000} kB, a second of video ${videoBytesPerSecond / 1000} kB; results are stored for ${resultsRetentionDays} days and downloaded from the bucket once.`,
  `A voice is changed in a recording of a minute, ${recordingBytes / 1000} kB, which becomes one of ${changedBytes / 1000} kB.`,
  `Creative videos have the default duration and no images, UGC two images, imitated videos one and ${imitatedSeconds} s of motion, Studio videos of ${studioSeconds} s a product and an avatar with one image each.`,
  `An image is ${imageBytes / 1000} kB; the engine fetches each input once from the bucket, where it stays for ${inputsRetentionDays} day.`,
  'Clients have a webhook or poll, not both. Unless --polls says otherwise, they poll when Retry-After tells them to: the mean of a simulation, rounded up for the tasks together.',
  'Each entry into a state and each retry of it is a state transition.',
  'AWS counts a transition for each step executed, and does not say whether the end is one: totals are ranges, without and with it.',
  `The access log has ${accessLogBytes} bytes per request; each log line counts ${logLineOverheadBytes} additional bytes.`,
];
