import { cortesContracts } from '../../shared/contracts/generate-cortes.ts';
import { clipCounts } from '../../shared/contracts/limits.ts';
import { videoFrame } from '../../shared/contracts/video-frame.ts';
import { type ClipPlan, planClips } from '../../shared/domain/clips/plan-clips.ts';
import { cortesCost } from '../../shared/domain/generation/pricing.ts';
import { type Generation, generationLambda, withFiles } from '../../shared/runtime/generation-lambda.ts';
import { videoResolver } from '../../shared/video-resolvers/video-resolvers.ts';

/** Cuts a long video into clips, priced by minute and clip. */
export const generateCortes: Generation<'generateCortes', ClipPlan> = {
  inspect: planClips,
  leastCost: ({ cortes }) => cortesCost({ seconds: 1, clipCount: clipCounts.min }, cortes),
  cost: ({ inspected, prices }) => cortesCost(inspected, prices.cortes),
  promises: ({ body }) => videoFrame('720p', body.aspectRatio),
};

export const definition = generationLambda(cortesContracts.generateCortes, generateCortes, {
  ...withFiles,
  videoResolver,
});
