import { studioVideoContracts } from '../../shared/contracts/generate-studio-video.ts';
import type { StudioScene } from '../../shared/contracts/studio-scene.ts';
import { videoFrame } from '../../shared/contracts/video-frame.ts';
import { studioRow } from '../../shared/domain/catalog/studio-row.ts';
import { studioVideoCost } from '../../shared/domain/generation/pricing.ts';
import { avatars, products } from '../../shared/domain/store-ports.ts';
import { modeOf, planStudioVideo } from '../../shared/domain/studio/plan-studio-video.ts';
import { type Generation, generationLambda } from '../../shared/runtime/generation-lambda.ts';

/** Generates an advertisement for a product, priced by mode, resolution and duration. */
export const generateStudioVideo: Generation<'generateStudioVideo', StudioScene> = {
  inspect: planStudioVideo,
  cost: async ({ body, catalog }) => studioVideoCost(body, modeOf(body, await catalog.read(studioRow))),
  promises: ({ body: { resolution, durationSec }, inspected: { aspectRatio } }) => ({
    ...videoFrame(resolution, aspectRatio),
    durationSec,
  }),
};

export const definition = generationLambda(studioVideoContracts.generateStudioVideo, generateStudioVideo, {
  avatars,
  products,
});
