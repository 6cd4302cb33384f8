/** The generation operation for Studio videos. */
import * as z from 'zod';
import { integer, oneOf, text } from './fields.ts';
import { extensionCallback, generation } from './generation-contract.ts';
import { consentField } from './likeness-consent.ts';
import { studioCostSeconds, studioResolutions } from './studio-catalog.ts';
import { StudioScene } from './studio-scene.ts';
import { videoTolerances } from './video-frame.ts';
import { videoOperation } from './video-operation.ts';

const optionalId = (what: string) => text(0, 200).optional().describe(`${what} An empty string counts as omitted.`);

const StudioVideoRequest = () =>
  z
    .object({
      mode: text(1, 200).describe('The `slug` of a mode in the catalog.'),
      productId: text(1, 200).describe('The `id` of the product to advertise.'),
      resolution: oneOf(studioResolutions).describe('The length of the shorter side, in pixels.'),
      userPrompt: text(0, 2000)
        .optional()
        .describe(
          'The line to speak, word for word. If it is absent or blank, the engine writes a short line about the product, in Portuguese. Ignored in modes whose `speechPolicy` is `forbidden`. A line that is too long for the duration may be spoken fast or cut off.',
        ),
      hookId: optionalId('The `id` of a hook in the catalog; if omitted, the video has no hook.'),
      settingId: optionalId('The `id` of a setting in the catalog; if omitted, the setting is plain.'),
      avatarId: optionalId(
        'The `id` of the avatar that appears. The `avatarPolicy` of the mode determines whether it is required, optional or forbidden.',
      ),
      aspectRatio: oneOf(['auto', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16'])
        .default('auto')
        .describe(
          'The ratio of width to height. `auto` selects the ratio nearest to that of the first image of the product, which is read when the task is created, or `1:1` if the image cannot be read then or exceeds a limit.',
        ),
      durationSec: integer(4, studioCostSeconds).default(studioCostSeconds).describe('The duration in seconds.'),
      ...consentField(' for videos with an avatar'),
      ...extensionCallback(),
    })
    .meta({ id: 'StudioVideoRequest' });

export const studioVideoContracts = {
  generateStudioVideo: generation({
    ...videoOperation,
    operationId: 'generateStudioVideo',
    taskType: 'video-studio',
    edits: 'product',
    usesLikeness: { with: 'avatarId' },
    paidSeconds: 'durationSec',
    feature: 'studio',
    whenSwitchedOff: 'FEATURE_DISABLED',
    acceptedIds: ['variationGroup'],
    derived: StudioScene,
    summary: 'Generate a marketing video for a product',
    description: `A short advertisement for a product, in one of the modes of the Studio's catalog. Create the product and, where the mode requires or allows one, the avatar first. An unknown \`mode\`, \`productId\` or \`avatarId\` is rejected with 502 GENERATION_FAILED. An unknown \`hookId\` or \`settingId\`, an avatar in a mode that forbids one, and a missing avatar in a mode that requires one are rejected with 400. In both cases, nothing is debited. The images of the product and the avatar are downloaded when the task is processed: if a download fails, the task fails with DOWNLOAD_FAILED; if an image cannot be used, with INPUT_INVALID. ${videoTolerances}`,
    price: `the mode's \`costsByResolution\` × \`durationSec\` / ${studioCostSeconds} credits, rounded up`,
    body: StudioVideoRequest,
    example: {
      mode: 'unboxing',
      productId: '0193a5c4-9b42-7e1a-9c63-7d8e9fa0b1c2',
      resolution: '720p',
      userPrompt: 'Chegou a minha caneca nova, olha que linda!',
      hookId: 'primeira-impressao',
      settingId: 'cozinha',
      aspectRatio: '9:16',
      durationSec: 10,
    },
    exampleCost: 87,
  }),
} as const;
