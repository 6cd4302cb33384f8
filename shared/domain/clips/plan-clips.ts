/** Determines the duration of a requested video and how many clips to make from it. */
import { clipCountOf, clipSource } from '../../contracts/generate-cortes.ts';
import { videoPlatforms } from '../../contracts/media.ts';
import { pathText, type UserAddress } from '../../contracts/user-addresses.ts';
import { peekStream } from '../../platform/peek-stream.ts';
import { takesLinks } from '../generation/choose-route.ts';
import type { Inspection } from '../generation/inspection.ts';
import { fileProblem } from '../media/file-limits.ts';
import { fileRejection } from '../media/file-rejection.ts';
import { isProblem, type MediaProblem } from '../media/media-problem.ts';
import { openInput } from '../media/open-input.ts';
import { Rejection } from '../rejection.ts';
import { isTestAccount } from '../test-account.ts';
import { notDownloadable } from './not-downloadable.ts';
import type { PlatformLink } from './platform-link.ts';
import { platformOf } from './platform-of.ts';

/** The properties of a plan that determine the price and the request to engines. */
export interface ClipPlan {
  /** The duration of the video in whole seconds. */
  readonly seconds: number;
  readonly clipCount: number;
  /** The container, if it is not MP4 and the engine must know it. */
  readonly container?: 'mov';
  /** The link to a video on a video site, if it is not a file. */
  readonly link?: Pick<PlatformLink, 'platform' | 'url'>;
}

interface Request {
  readonly videoUrl: string;
  readonly durationSec?: number | undefined;
}

/** The time limits are short, because the client is waiting: five seconds for both steps together. */
const probeMs = 4_000;
const resolveMs = 4_000;
const peekMs = 1_000;
/** The assumed duration of linked videos in tests, for which no video site is called. */
const testVideoSeconds = 600;
/** An MP4 begins with the size and the name of its first box. */
const headBytes = 8;

type VideoAddress = Exclude<UserAddress, { leadsTo: 'receiver' }>;

function videoAddressIn({ addresses }: Inspection): VideoAddress {
  const address = addresses.find(({ path }) => pathText(path) === 'videoUrl');
  if (address?.leadsTo !== 'video') throw new Error('the request has no video in videoUrl');
  return address;
}

/** Whether a file that cannot be measured yet is an MP4. */
async function beginsAsMp4({ text, limits }: VideoAddress, { outbound }: Inspection): Promise<boolean> {
  const stream = await openInput(outbound, text, limits, { timeoutMs: peekMs });
  if (isProblem(stream)) return false;
  const peeked = await peekStream(stream.body, { maxBytes: headBytes });
  await peeked.close();
  return Buffer.from(peeked.head).toString('latin1', 4, headBytes) === 'ftyp';
}

const rejectionOf = (problem: MediaProblem): Rejection =>
  fileRejection('videoUrl', problem, problem.problem === 'unreachable' ? 'download-failed' : 'invalid');

/**
 * The detected duration in whole seconds; undefined if the client declares one and the file is an MP4 that can be
 * measured only when it is copied. For any other file the declared duration is not accepted unchecked, because a server
 * could stall or cut off the file to avoid the measurement.
 */
async function detectedSeconds(inspection: Inspection, isDeclared: boolean): Promise<number | undefined> {
  const address = videoAddressIn(inspection);
  const { text, limits } = address;
  // The container reader is large, so it is imported only if there is a file to read.
  const { probeMedia } = await import('../media/probe-media.ts');
  const facts = await probeMedia(inspection.outbound, text, {
    kind: 'video',
    counts: 'longest',
    limits,
    timeoutMs: probeMs,
    measuring: inspection.measuring,
    // An upload is not copied for an engine that downloads the video itself.
    isReadAgain: !inspection.outbound.isUpload(text),
  });
  if (!isProblem(facts)) {
    inspection.files.set('videoUrl', facts);
    return Math.floor(facts.durationSec);
  }
  if (isDeclared && facts.problem === 'scattered' && (await beginsAsMp4(address, inspection))) return undefined;
  throw rejectionOf(facts);
}

/** The link, if a route of the operation accepts it. */
async function requirePlatformAccess(url: URL, { routes }: Inspection): Promise<PlatformLink | undefined> {
  const platform = platformOf(url);
  if (!platform) return undefined;
  const name = videoPlatforms[platform];
  // Links are rare among requests, so what they need is imported only for them.
  const { exampleLinks, platformLinkIn } = await import('./platform-link.ts');
  const link = platformLinkIn(url.href);
  if (!link) {
    throw new Rejection('invalid', {
      message: `videoUrl must be a link to a single video on ${name}, such as ${exampleLinks[platform]}`,
    });
  }
  if (routes.some((route) => takesLinks(route, 'videoUrl', platform))) return link;
  throw notDownloadable(`this service is not configured to download videos from ${name}`);
}

async function platformSeconds(link: PlatformLink, inspection: Inspection): Promise<number> {
  if (isTestAccount(inspection.accountId)) return testVideoSeconds;
  const { linkedDuration } = await import('./linked-duration.ts');
  return linkedDuration(link, inspection, resolveMs);
}

/** The duration of a video on a video site, without fractions of a second. */
async function linkedSeconds(link: PlatformLink, inspection: Inspection): Promise<number> {
  const { platform } = link;
  const durationSec = await platformSeconds(link, inspection);
  const facts = { platform, durationSec };
  const { limits } = videoAddressIn(inspection);
  const problem = fileProblem(facts, { ...limits, links: [platform] });
  if (problem) throw rejectionOf(problem);
  inspection.files.set('videoUrl', facts);
  return Math.floor(durationSec);
}

/** The declared duration, rounded to a tenth like a detected one, and then compared with the limit. */
function declaredSeconds({ durationSec }: Request): number | undefined {
  if (durationSec === undefined) return undefined;
  const rounded = Math.round(durationSec * 10) / 10;
  if (rounded <= clipSource.maxSeconds) return Math.floor(rounded);
  const message = `durationSec must be a number greater than 0 and at most ${clipSource.maxSeconds}`;
  throw new Rejection('invalid', { message });
}

async function fileSeconds(request: Request, inspection: Inspection): Promise<number> {
  const declared = declaredSeconds(request);
  const detected = await detectedSeconds(inspection, declared !== undefined);
  if (detected === undefined) inspection.files.set('videoUrl', { isUnmeasured: true });
  return Math.max(declared ?? 0, detected ?? 0);
}

/**
 * Plans a request. The duration is that of the linked video, or the longer of a file's declared and detected durations.
 * @throws {Rejection} invalid, download-failed; for links also rate-limited, and what an account lacks that cannot pay
 */
export async function planClips(request: Request, inspection: Inspection): Promise<ClipPlan> {
  const link = await requirePlatformAccess(new URL(request.videoUrl), inspection);
  const seconds = await (link ? linkedSeconds(link, inspection) : fileSeconds(request, inspection));
  const isMov = inspection.files.get('videoUrl')?.contentType === 'video/quicktime';
  const plan = { seconds, clipCount: clipCountOf(seconds), ...(isMov && { container: 'mov' as const }) };
  return link ? { ...plan, link: { platform: link.platform, url: link.url } } : plan;
}
