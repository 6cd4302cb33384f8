/** Compares what is known about a file with the limits of its field. */
import { type MediaType, mediaTypes, ratioValue, type VideoPlatform, videoPlatforms } from '../../contracts/media.ts';
import type { FileCondition } from '../../engines/route.ts';
import { type MediaProblem, outOfLimits, unsupported } from './media-problem.ts';

/** Facts about a file, or about a video on a video site, as found by an inspection. */
export interface FileFacts {
  /** The file's type; absent for a link to a video site. */
  readonly contentType?: MediaType;
  /** The video site; present only for a link. */
  readonly platform?: VideoPlatform;
  /** The width in pixels, as displayed. */
  readonly width?: number;
  readonly height?: number;
  /** The duration, rounded to a tenth of a second. */
  readonly durationSec?: number;
  /**
   * The duration without the beginning that the file's edit list hides, because some engines leave it out; present only
   * if the hidden beginning is long.
   */
  readonly shownSec?: number;
  /** Whether the duration was declared by the client and could not be measured. */
  readonly isUnmeasured?: true;
}

type Limits = Omit<FileCondition, 'given'>;

/** The tolerated deviation of an aspect ratio, because encoders round both sides to multiples of 8 or 16. */
const toleratedShape = 0.03;

function sizeExpectation({ maxPixels, minSidePixels, maxSidePixels }: Limits): string {
  const min = minSidePixels !== undefined && `at least ${minSidePixels} pixels per side`;
  const max = [
    maxPixels !== undefined && `${maxPixels / 1e6} megapixels`,
    maxSidePixels !== undefined && `${maxSidePixels} pixels per side`,
  ].filter((part) => part !== false);
  return [min, max.length > 0 && `at most ${max.join(' and ')}`].filter(Boolean).join(' and ');
}

/** The problem with the size of an image or video in pixels. */
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

/** The first limit that a file exceeds; unknown facts are not checked. */
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
