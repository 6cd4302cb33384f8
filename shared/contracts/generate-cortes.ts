/** The operation that cuts a long video into short clips. */
import * as z from 'zod';
import { defaultPrices as prices } from '../catalog/prices.ts';
import { oneOf, positiveNumber } from './fields.ts';
import { extensionCallback, generation } from './generation-contract.ts';
import { clipCounts, timeLimitSeconds, videoLookupsPerDay } from './limits.ts';
import { engineTypes, filmTypes, megabytes, typeNames } from './media.ts';
import { remoteVideoUrl } from './url-fields.ts';
import { videoOperation } from './video-operation.ts';

export const clipAspectRatios = ['9:16', '16:9', '1:1', '4:5', '4:3', '3:4'] as const;

export const clipSource = { maxSeconds: 3 * 3600, maxBytes: 5 * 2 ** 30 } as const;

/** The length of a clip in seconds; a video that is too short gets shorter clips. */
export const clipSeconds = { min: 15, max: 90 } as const;

/** How many clips to make from a video: about 3 for every 10 minutes. */
export const clipCountOf = (seconds: number): number =>
  Math.min(clipCounts.max, Math.max(clipCounts.min, Math.round((3 * seconds) / 600)));

/** How many clips must succeed for the task to complete. */
export const minClipsOf = (clipCount: number): number => Math.min(clipCounts.min, clipCount);

/** The progress, in percent, at which each stage begins. */
export const clipStages = { download: 1, analysis: 15, cuts: 55, end: 99 } as const;

const stages = `\`progress\` never decreases and shows the last stage that is known to have begun: below ${clipStages.analysis}, the download of the video; below ${clipStages.cuts}, its analysis; from ${clipStages.cuts} on, the cutting. It may skip a stage, and stay the same for minutes.`;

const { creditsPerMinute, creditsPerClip } = prices.cortes;

const CortesRequest = () =>
  z
    .object({
      videoUrl: remoteVideoUrl({ ...clipSource, types: filmTypes }).describe(
        `The video: the https URL of an ${typeNames(filmTypes)} file (by its content, not its name) of at most 3 hours, ${megabytes(clipSource.maxBytes)} and 4096 pixels per side, or a link to a video on YouTube, TikTok or Instagram. ${engineTypes} Such links are rejected with 502 DOWNLOAD_FAILED unless the service is configured to download videos from these sites.`,
      ),
      aspectRatio: oneOf(clipAspectRatios).default('9:16').describe('The ratio of width to height of the clips.'),
      durationSec: positiveNumber()
        .optional()
        .describe(
          `The duration of the file in seconds, at most ${clipSource.maxSeconds} after rounding to a tenth. The price depends on this or on the detected duration, whichever is longer. Required only for an MP4 that is too fragmented to be measured before it is copied. Any value is ignored for links to YouTube, TikTok and Instagram.`,
        ),
      ...extensionCallback(),
    })
    .meta({ id: 'CortesRequest' });

/** The video in the example is half an hour long. */
const exampleSeconds = 1800;

export const cortesContracts = {
  generateCortes: generation({
    ...videoOperation,
    operationId: 'generateCortes',
    taskType: 'cortes',
    edits: 'videoUrl',
    timeLimitSeconds: timeLimitSeconds.clips,
    feature: 'cortes',
    whenSwitchedOff: 'FEATURE_DISABLED',
    whenUnavailable: 'GENERATION_FAILED',
    resultCountField: 'clipCount',
    // Each clip is at most as long as the video that was paid for.
    paidSeconds: { measured: 'seconds' },
    minResults: clipCounts.min,
    errors: ['DOWNLOAD_FAILED'],
    furtherLimit: `${videoLookupsPerDay} links of the account to videos on a video site were looked up today (UTC), in dry runs too: Retry-After is the rest of the day. A link that any account sent shortly before, and links sent with test tokens, do not count.`,
    summary: 'Cut a long video into short clips',
    description: `Cuts the best passages of a video into short clips, best first: about 3 for every 10 minutes, at least ${clipCounts.min} and at most ${clipCounts.max}. If fewer can be made, the task is completed with those as long as there are ${clipCounts.min}, at the same price. Clips usually last ${clipSeconds.min} to ${clipSeconds.max} seconds and do not overlap; those of a video shorter than ${clipCounts.min * clipSeconds.min} seconds are shorter. Each clip is an MP4 of about 720 pixels or more on its shorter side, cropped to \`aspectRatio\`. The duration, that of the longer of picture and sound, is measured when the task is created: a video that cannot be downloaded then is rejected with 502 DOWNLOAD_FAILED, one that exceeds a limit with 400. The video behind a link is looked up only if the account can pay for the cheapest task; otherwise the response is 402 INSUFFICIENT_CREDITS, whose message names that cost. If the video is found to be longer when the task is processed, the task fails with INPUT_INVALID. Fractions of a second are ignored. ${stages}`,
    price: `${creditsPerMinute} credits for each full or partial minute and ${creditsPerClip} for each clip`,
    body: CortesRequest,
    example: { videoUrl: 'https://example.com/entrevista.mp4', aspectRatio: '9:16' },
    exampleCost: (creditsPerMinute * exampleSeconds) / 60 + creditsPerClip * clipCountOf(exampleSeconds),
  }),
} as const;
