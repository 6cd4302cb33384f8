import { videoContracts } from '../../shared/contracts/generate-videos.ts';
import { videoFrame } from '../../shared/contracts/video-frame.ts';
import { creativeVideoCost } from '../../shared/domain/generation/pricing.ts';
import { type Generation, generationLambda, withFiles } from '../../shared/runtime/generation-lambda.ts';

/** Generates a video from a prompt and, if given, its first and last frame; priced by duration and resolution. */
export const generateCreativeVideo: Generation<'generateCreativeVideo'> = {
  cost: ({ body, prices }) => creativeVideoCost(body, prices.videoCreative),
  promises: ({ body: { resolution, aspectRatio, durationSec } }) => ({
    ...videoFrame(resolution, aspectRatio),
    durationSec,
  }),
};

export const definition = generationLambda(videoContracts.generateCreativeVideo, generateCreativeVideo, withFiles);
