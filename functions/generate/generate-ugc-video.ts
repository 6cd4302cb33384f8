import { ugcVideo, videoContracts } from '../../shared/contracts/generate-videos.ts';
import { type Generation, generationLambda, withFiles } from '../../shared/runtime/generation-lambda.ts';

/** Generates a video of a person who speaks a short line. */
export const generateUgcVideo: Generation<'generateUgcVideo'> = {
  cost: ({ prices }) => prices.videoUgc.credits,
  promises: () => ugcVideo,
};

export const definition = generationLambda(videoContracts.generateUgcVideo, generateUgcVideo, withFiles);
