/** The files that a task produced, as clients see them. */
import * as z from 'zod';
import { serviceUrl, shortText, timestamp } from './fields.ts';
import { resultsRetentionDays } from './limits.ts';
import { once } from './once.ts';
import { Provenance } from './provenance.ts';

export const Result = once(() =>
  z
    .object({
      url: serviceUrl().describe(
        `The URL of the file, which is stored for ${resultsRetentionDays} days, or fewer if the account wants that.`,
      ),
      contentType: shortText(100).describe('The media type of the file, such as `image/png`.'),
      bytes: z.int().min(1).describe('The size of the file.'),
      width: z.int().min(1).optional().describe('In pixels; for images and videos.'),
      height: z.int().min(1).optional().describe('In pixels; for images and videos.'),
      durationSec: z.number().min(0).optional().describe('In seconds; for audio and videos.'),
      posterUrl: serviceUrl()
        .optional()
        .describe('Extension. The URL of a preview image (JPEG) of the video, if the engine provided one.'),
      provenance: Provenance()
        .nullable()
        .describe('Extension. The Content Credentials in the file; null if it has none of this service.'),
      expiresAt: timestamp().describe(
        'Extension. Until when the file is stored. It is erased within minutes after that: the task remains, but its URLs no longer work.',
      ),
    })
    .meta({ id: 'Result', description: 'A file that a task produced.' }),
);

const secondsOfOriginal = (which: string) =>
  z.number().min(0).nullable().describe(`The ${which} of the clip in the original video, in seconds, if known.`);

export const Clip = once(() =>
  z
    .object({
      url: serviceUrl().describe('The URL of the MP4.'),
      title: shortText(500).nullable().describe('A title, if the engine writes one.'),
      hook: shortText(500).nullable().describe('A line that draws viewers in, if the engine writes one.'),
      score: z.number().min(0).max(1).nullable().describe('The relevance from 0 to 1, if the engine rates it.'),
      startTime: secondsOfOriginal('beginning'),
      endTime: secondsOfOriginal('end'),
    })
    .meta({ id: 'Clip', description: 'A clip cut from a long video.' }),
);
export type Clip = z.output<ReturnType<typeof Clip>>;
