import { videoContracts } from '../../shared/contracts/generate-videos.ts';
import { videoFrame } from '../../shared/contracts/video-frame.ts';
import { durationAt } from '../../shared/domain/generation/duration-at.ts';
import { imageAt } from '../../shared/domain/generation/image-at.ts';
import { inspectAll } from '../../shared/domain/generation/inspection.ts';
import { imitationCost } from '../../shared/domain/generation/pricing.ts';
import type { MediaFacts } from '../../shared/domain/media/probe-media.ts';
import { type Generation, generationLambda, withFiles } from '../../shared/runtime/generation-lambda.ts';

/** Animates a character with the motion of a video, priced by duration. */
export const imitateVideo: Generation<'imitateVideo', Pick<MediaFacts, 'durationSec' | 'shownSec'>> = {
  async inspect(_body, inspection) {
    const [, durationSec] = await inspectAll(
      imageAt('characterImage', inspection),
      durationAt('motionVideo', inspection),
    );
    const { shownSec } = inspection.files.get('motionVideo') ?? {};
    return { durationSec, ...(shownSec !== undefined && { shownSec }) };
  },
  cost: ({ body, inspected, prices }) => imitationCost(inspected.durationSec, body, prices.videoImitate),
  promises: ({ body, inspected }) => ({
    ...videoFrame(body.quality, '9:16'),
    ...inspected,
    soundMayOutlast: true,
  }),
};

export const definition = generationLambda(videoContracts.imitateVideo, imitateVideo, withFiles);
