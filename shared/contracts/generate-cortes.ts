/** The operation that cuts a long video into short clips. */
import * as z from 'zod';
import { defaultPrices as prices } from '../catalog/prices.ts';
import { oneOf, positiveNumber, remoteVideoUrl } from './fields.ts';
import { videoLifecycle, videoOperation } from './generate-videos.ts';
import { callbackUrl, generation } from './generation.ts';
import { megabytes } from './media.ts';

export const clipAspectRatios = ['9:16', '16:9', '1:1', '4:5', '4:3', '3:4'] as const;

export const clipSource = { maxSeconds: 3 * 3600, maxBytes: 5 * 2 ** 30 } as const;

/** In seconds. A video that is too short for its clips gets shorter ones. */
export const clipSeconds = { least: 15, most: 90 } as const;

export const clipCounts = { least: 3, most: 20 } as const;

/** How many clips a video results in: about 3 for every 10 minutes. */
export const clipCountOf = (seconds: number): number =>
  Math.min(clipCounts.most, Math.max(clipCounts.least, Math.round((3 * seconds) / 600)));

/** Says how far a task is; each of the engine's stages has a range of its own. */
const stages =
  '`progress` shows the stage: below 15, the video is being downloaded; below 55, analyzed; from 55 on, cut.';

const { creditsPerMinute, creditsPerClip } = prices.cortes;

const CortesRequest = () =>
  z
    .object({
      videoUrl: remoteVideoUrl(clipSource).describe(
        `The video: the https URL of an MP4 (by its content, not its file name) of at most 3 hours, ${megabytes(clipSource.maxBytes)} and 4096 pixels per side, or a link to a video on YouTube, TikTok or Instagram. Such links are rejected with 502 DOWNLOAD_FAILED unless the service is configured to download videos from these sites.`,
      ),
      aspectRatio: oneOf(clipAspectRatios).default('9:16').describe('The ratio of width to height of the clips.'),
      durationSec: positiveNumber(clipSource.maxSeconds)
        .optional()
        .describe(
          'The duration of the file in seconds. The price depends on this or on the detected duration, whichever is longer. Required only if no duration can be detected. Ignored for links to YouTube, TikTok and Instagram.',
        ),
      callbackUrl: callbackUrl().describe(`Extension. ${callbackUrl().description ?? ''}`),
    })
    .meta({ id: 'CortesRequest' });

/** Of half an hour. */
const exampleSeconds = 1800;

export const cortesContracts = {
  generateCortes: generation({
    ...videoOperation,
    operationId: 'generateCortes',
    taskType: 'cortes',
    timeLimitSeconds: 3600,
    feature: 'cortes',
    whenSwitchedOff: 'FEATURE_DISABLED',
    whenEngineDown: 'GENERATION_FAILED',
    resultCountField: 'clipCount',
    leastResults: clipCounts.least,
    errors: ['DOWNLOAD_FAILED', 'GENERATION_FAILED'],
    summary: 'Cut a long video into short clips',
    description: `Cuts the best passages of a video into clips of ${clipSeconds.least} to ${clipSeconds.most} seconds that do not overlap, best first: about 3 for every 10 minutes, at least ${clipCounts.least} and at most ${clipCounts.most}. If some of them cannot be cut, the task is completed with the others as long as ${clipCounts.least} are left, at the same price. A video shorter than ${3 * clipSeconds.least} seconds results in shorter clips. Each clip is an MP4 of at least 720 pixels on its shorter side, cropped to \`aspectRatio\`. The duration is detected when the task is created: a video that cannot be downloaded then is rejected with 502 DOWNLOAD_FAILED, one that exceeds a limit with 400; if the video is longer when the task is processed, the task fails with INPUT_INVALID. Costs ${creditsPerMinute} credits for each full or partial minute and ${creditsPerClip} for each clip, at the default prices; fractions of a second are ignored. ${stages} ${videoLifecycle}`,
    body: CortesRequest,
    example: { videoUrl: 'https://example.com/entrevista.mp4', aspectRatio: '9:16' },
    exampleCost: (creditsPerMinute * exampleSeconds) / 60 + creditsPerClip * clipCountOf(exampleSeconds),
  }),
} as const;
