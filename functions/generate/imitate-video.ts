import { videoContracts } from '../../shared/contracts/generate-videos.ts';
import { videoFrame } from '../../shared/contracts/video-frame.ts';
import { durationAt } from '../../shared/domain/generation/duration-at.ts';
import { imageAt } from '../../shared/domain/generation/image-at.ts';
import { inspectAll } from '../../shared/domain/generation/inspection.ts';
import { imitationCost } from '../../shared/domain/generation/pricing.ts';
import { type Generation, generationLambda, withFiles } from '../../shared/runtime/generation-lambda.ts';

/** Animates a character with the motion of a video, priced by duration. */
export const imitateVideo: Generation<'imitateVideo', { readonly durationSec: number }> = {
  async inspect(_body, inspection) {
    const [, durationSec] = await inspectAll(
      imageAt('characterImage', inspection),
      durationAt('motionVideo', inspection),
    );
    return { durationSec };
  },
  cost: ({ body, inspected, prices }) => imitationCost(inspected.durationSec, body, prices.videoImitate),
  promises: ({ body, inspected }) => ({
    ...videoFrame(body.quality, '9:16'),
    ...inspected,
    soundMayOutlast: true,
  }),
};

export const definition = generationLambda(videoContracts.imitateVideo, imitateVideo, withFiles);
