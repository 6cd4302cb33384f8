/** The limits of a file, compared with what is known about it. */
import { type MediaType, mediaTypes, ratioValue, type VideoPlatform, videoPlatforms } from '../../contracts/media.ts';
import type { FileCondition } from '../../engines/route.ts';
import { type MediaProblem, outOfLimits, unsupported } from './media-problem.ts';

/** What an inspection finds out about a file, or about the video that a link to a platform leads to. */
export interface FileFacts {
  /** Unknown behind a link. */
  readonly contentType?: MediaType;
  /** Only of a link. */
  readonly platform?: VideoPlatform;
  /** Pixels, as displayed. */
  readonly width?: number;
  readonly height?: number;
  /** To a tenth of a second. */
  readonly durationSec?: number;
  /** Its duration is known by the client's word alone. */
  readonly isUnmeasured?: true;
}

type Limits = Omit<FileCondition, 'given'>;

/** Encoders round both sides to multiples of 8 or 16. */
const toleratedShape = 0.03;

function sizeExpectation({ maxPixels, minSidePixels, maxSidePixels }: Limits): string {
  const least = minSidePixels !== undefined && `at least ${minSidePixels} pixels per side`;
  const most = [
    maxPixels !== undefined && `${maxPixels / 1e6} megapixels`,
    maxSidePixels !== undefined && `${maxSidePixels} pixels per side`,
  ].filter((part) => part !== false);
  return [least, most.length > 0 && `at most ${most.join(' and ')}`].filter(Boolean).join(' and ');
}

/** The problem with a size in pixels. */
function sizeProblem(width: number, height: number, limits: Limits): MediaProblem | undefined {
  const { maxPixels = Number.POSITIVE_INFINITY, minSidePixels = 0, ratios } = limits;
  const { maxSidePixels = Number.POSITIVE_INFINITY, aspectRatio } = limits;
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  if (shorter < minSidePixels || longer > maxSidePixels || width * height > maxPixels) {
    return outOfLimits(`must be ${sizeExpectation(limits)}`);
  }
  const ratio = width / height;
  if (aspectRatio && Math.abs(ratio / ratioValue(aspectRatio) - 1) > toleratedShape) {
    return outOfLimits(`must have an aspect ratio of about ${aspectRatio}`);
  }
  if (!ratios) return undefined;
  const [narrowest, widest] = ratios;
  return ratio >= ratioValue(narrowest) && ratio <= ratioValue(widest)
    ? undefined
    : outOfLimits(`must have an aspect ratio between ${narrowest} and ${widest}`);
}

function lengthExpectation({ minSeconds, maxSeconds }: Limits): string {
  if (minSeconds === undefined) return `at most ${maxSeconds}`;
  return maxSeconds === undefined ? `at least ${minSeconds}` : `${minSeconds} to ${maxSeconds}`;
}

/** The first problem of a file with limits; what is not known of it is not judged. */
export function fileProblem(facts: FileFacts, limits: Limits): MediaProblem | undefined {
  const { contentType, platform, width, height, durationSec, isUnmeasured } = facts;
  if (isUnmeasured && limits.mustBeMeasured) return outOfLimits('must be a file whose duration can be measured');
  const { types, links = [], minSeconds = 0, maxSeconds = Number.POSITIVE_INFINITY } = limits;
  if (platform && !links.includes(platform)) {
    return outOfLimits(`must be the URL of a file, not a link to ${videoPlatforms[platform]}`);
  }
  if (types && contentType && !types.includes(contentType)) return unsupported(mediaTypes[contentType].name, types);
  if (durationSec !== undefined && (durationSec < minSeconds || durationSec > maxSeconds)) {
    return outOfLimits(`must be ${lengthExpectation(limits)} seconds long`);
  }
  return width === undefined || height === undefined ? undefined : sizeProblem(width, height, limits);
}
