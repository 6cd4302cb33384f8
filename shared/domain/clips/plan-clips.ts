/** Determines how long the video of a request is, and how many clips it results in. */
import { clipCountOf, clipSource } from '../../contracts/generate-cortes.ts';
import { pathText, type UserAddress } from '../../contracts/user-addresses.ts';
import { peekStream } from '../../platform/peek-stream.ts';
import type { Inspection } from '../generation/inspection.ts';
import { isProblem, type MediaProblem, problemText } from '../media/media-problem.ts';
import { openInput } from '../media/open-input.ts';
import { Rejection } from '../rejection.ts';
import { platformLinkIn, platformOf, platforms } from './platform-link.ts';

/** What the price depends on, and what engines are asked for. */
export interface ClipPlan {
  /** Whole seconds of the video. */
  readonly seconds: number;
  readonly clipCount: number;
}

interface Request {
  readonly videoUrl: string;
  readonly durationSec?: number | undefined;
}

/** The client is waiting: five seconds for both. */
const probeMs = 4_000;
const peekMs = 1_000;
/** An MP4 begins with the size of its first box, and the name of that box. */
const headBytes = 8;

type VideoAddress = Exclude<UserAddress, { leadsTo: 'receiver' }>;

function videoAddressIn({ addresses }: Inspection): VideoAddress {
  const address = addresses.find(({ path }) => pathText(path) === 'videoUrl');
  if (address?.leadsTo !== 'video') throw new Error('the request has no video in videoUrl');
  return address;
}

/** Whether a file that cannot be measured is an MP4 at all. */
async function beginsAsMp4({ text, limits }: VideoAddress, { outbound }: Inspection): Promise<boolean> {
  const stream = await openInput(outbound, text, limits, { timeoutMs: peekMs });
  if (isProblem(stream)) return false;
  const peeked = await peekStream(stream.body, { maxBytes: headBytes });
  await peeked.close();
  return Buffer.from(peeked.head).toString('latin1', 4, headBytes) === 'ftyp';
}

const rejectionOf = (problem: MediaProblem): Rejection =>
  new Rejection(problem.problem === 'unreachable' ? 'download-failed' : 'invalid', {
    message: problemText('videoUrl', problem),
  });

/** The detected duration in whole seconds; undefined if the file has one only by the client's word. */
async function detectedSeconds(inspection: Inspection, isDeclared: boolean): Promise<number | undefined> {
  const address = videoAddressIn(inspection);
  const { text, limits } = address;
  // Loaded only where there is a file to read: the reader of containers is large.
  const { probeMedia } = await import('../media/probe-media.ts');
  const facts = await probeMedia(inspection.outbound, text, { kind: 'video', limits, timeoutMs: probeMs });
  if (!isProblem(facts)) {
    inspection.files.set('videoUrl', facts);
    return Math.floor(facts.durationSec);
  }
  const mayBeUsable = facts.problem === 'unreachable' || facts.problem === 'invalid';
  if (isDeclared && mayBeUsable && (await beginsAsMp4(address, inspection))) return undefined;
  throw rejectionOf(facts);
}

function requirePlatformAccess(url: URL): void {
  const platform = platformOf(url);
  if (!platform) return;
  const { name, example } = platforms[platform];
  if (!platformLinkIn(url.href)) {
    throw new Rejection('invalid', {
      message: `videoUrl must be a link to a single video on ${name}, such as ${example}`,
    });
  }
  throw new Rejection('download-failed', {
    message: `The video could not be downloaded: this service is not configured to download videos from ${name}.`,
  });
}

/**
 * The larger of the declared and the detected duration of a file, without fractions of a second.
 * @throws {Rejection} invalid, download-failed
 */
export async function planClips({ videoUrl, durationSec }: Request, inspection: Inspection): Promise<ClipPlan> {
  requirePlatformAccess(new URL(videoUrl));
  const detected = await detectedSeconds(inspection, durationSec !== undefined);
  const seconds = Math.max(Math.floor(durationSec ?? 0), detected ?? 0);
  if (seconds > clipSource.maxSeconds) {
    throw new Rejection('invalid', { message: `durationSec must be at most ${clipSource.maxSeconds}` });
  }
  return { seconds, clipCount: clipCountOf(seconds) };
}
