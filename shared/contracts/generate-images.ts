/** The generation operations that make pictures. */
import * as z from 'zod';
import { background, boolean, imageUrl, integer, listOf, oneOf, oneOfNumbers, text } from './fields.ts';
import { callbackUrl, generation } from './generation.ts';
import { inputLimits, megabytes, typeNames } from './media.ts';

export const aspectRatios = ['1:1', '16:9', '9:16', '4:3', '3:4', '21:9'] as const;
export type AspectRatio = (typeof aspectRatios)[number];

/** The most pixels that an enlarged picture may have. */
export const outputPixelsLimit = 64_000_000;

const { types, maxBytes, maxPixels, maxSidePixels } = inputLimits.image;
const pictures = `${typeNames(types)}, at most ${megabytes(maxBytes)}, ${maxPixels / 1e6} megapixels and ${maxSidePixels} pixels a side, told by its content and not by its name`;
const fetchedLater =
  'It is fetched when the task is worked on: one that can not be had fails the task with DOWNLOAD_FAILED, one that can not be used with INPUT_INVALID.';

const picture = (what: string) => imageUrl().describe(`${what}: ${pictures}. ${fetchedLater}`);

const referenceImages = listOf(imageUrl(), 4)
  .optional()
  .describe(`Up to four pictures to go by: each ${pictures}. ${fetchedLater}`);

const extension = 'Extension. ';
const withCallback = { callbackUrl: callbackUrl.describe(`${extension}${callbackUrl.description ?? ''}`) };

const ending = 'The task goes pending → processing → completed or failed; a failed task is refunded in full.';

const example = 'https://example.com/portrait.jpg';

const imageOperation = { scope: 'generate:image', medium: 'image', errors: ['GENERATION_FAILED'] } as const;

export const imageContracts = {
  generateImage: generation({
    ...imageOperation,
    operationId: 'generateImage',
    taskType: 'image',
    summary: 'Makes pictures from words',
    description: `One result for each of \`numImages\`. Costs 4 credits a picture at the default prices. ${ending}`,
    body: z
      .object({
        prompt: text(1, 4000).describe('What the picture shows.'),
        negativePrompt: text(0, 2000).optional().describe('What it must not show.'),
        aspectRatio: oneOf(aspectRatios).default('1:1').describe('Width to height of each image.'),
        numImages: integer(1, 4).default(1).describe('How many images to generate.'),
        seed: integer(0).optional().describe('The same seed makes the same pictures, as far as the engine can.'),
        ...withCallback,
      })
      .meta({ id: 'ImageRequest' }),
    example: { prompt: 'Um farol ao amanhecer', aspectRatio: '16:9', numImages: 2 },
    exampleCost: 8,
  }),
  editImage: generation({
    ...imageOperation,
    operationId: 'editImage',
    taskType: 'image-edit',
    summary: 'Changes a picture as words say',
    description: `Costs 5 credits at the default prices. ${ending}`,
    body: z
      .object({
        imageUrl: picture('The picture to change'),
        prompt: text(1, 4000).describe('What to change.'),
        referenceImages,
        maskUrl: imageUrl()
          .optional()
          .describe(
            `Only what is white in it is changed, as far as the engine can; it is scaled to the picture: ${pictures}. ${fetchedLater}`,
          ),
        ...withCallback,
      })
      .meta({ id: 'ImageEditRequest' }),
    example: { imageUrl: example, prompt: 'Deixe a foto mais clara' },
    exampleCost: 5,
  }),
  replaceCharacter: generation({
    ...imageOperation,
    operationId: 'replaceCharacter',
    taskType: 'character-replace',
    summary: 'Puts another person into a scene',
    description: `Costs 6 credits at the default prices. ${ending}`,
    body: z
      .object({
        imageUrl: picture('The scene'),
        characterImage: picture('The person to put into it'),
        prompt: text(0, 2000).optional().describe('How the person is to be put into the scene.'),
        ...withCallback,
      })
      .meta({ id: 'CharacterReplaceRequest' }),
    example: { imageUrl: example, characterImage: 'https://example.com/ana.jpg' },
    exampleCost: 6,
  }),
  removeBackground: generation({
    ...imageOperation,
    operationId: 'removeBackground',
    taskType: 'background-remove',
    summary: 'Cuts out what a picture is of',
    description: `Costs 1 credit at the default prices. ${ending}`,
    body: z
      .object({
        imageUrl: picture('The picture'),
        format: oneOf(['png', 'webp']).default('png').describe('The file format of the result.'),
        background: background().default('transparent').describe('What comes behind it: nothing, or one colour.'),
        ...withCallback,
      })
      .meta({ id: 'BackgroundRemoveRequest' }),
    example: { imageUrl: example, format: 'webp', background: '#ffffff' },
    exampleCost: 1,
  }),
  upscaleImage: generation({
    ...imageOperation,
    operationId: 'upscaleImage',
    taskType: 'image-upscale',
    summary: 'Makes a picture larger',
    description: `What would have more than ${outputPixelsLimit / 1e6} megapixels fails the task with INPUT_INVALID. Costs 2 credits at twice the size and 4 at four times. ${ending}`,
    body: z
      .object({
        imageUrl: picture('The picture'),
        scale: oneOfNumbers([2, 4]).default(2).describe('How many times as wide and as high.'),
        ...withCallback,
      })
      .meta({ id: 'ImageUpscaleRequest' }),
    example: { imageUrl: example, scale: 4 },
    exampleCost: 4,
  }),
  generateInfluencer: generation({
    ...imageOperation,
    operationId: 'generateInfluencer',
    taskType: 'influencer',
    summary: 'Makes up a person',
    description: `Saves an influencer, whose id the completed task carries as \`influencerId\`, and makes its portrait, which is kept as long as other results. Costs 8 credits at the default prices. ${ending}`,
    body: z
      .object({
        name: text(1, 120).describe('The name of the influencer.'),
        description: text(1, 2000).describe('What the person looks like and is like.'),
        gender: oneOf(['feminino', 'masculino', 'auto'])
          .default('auto')
          .describe('`auto` leaves it to the description.'),
        ageRange: oneOf(['18-25', '26-35', '36-50', '51+']).optional().describe('How old the person looks, in years.'),
        referenceImages,
        aspectRatio: oneOf(aspectRatios).default('3:4').describe('Width to height of the portrait.'),
        ...withCallback,
      })
      .meta({ id: 'InfluencerRequest' }),
    example: { name: 'Ana', description: 'Chef de cozinha, sorridente, cabelo curto', gender: 'feminino' },
    exampleCost: 8,
  }),
  enhanceSkin: generation({
    ...imageOperation,
    operationId: 'enhanceSkin',
    taskType: 'skin-enhance',
    summary: 'Gives skin a natural texture',
    description: `Adds micro-texture and pores, and keeps features, expression, hair, clothes and background. The picture is looked at when the task is created: one of more than 10 MB or 50 megapixels is refused, and its aspect ratio is the one nearest to its dimensions; a picture that can not be reached or read then is taken as 1:1. Costs 5 credits at the default prices, whatever its size. ${ending}`,
    body: z
      .object({
        imageUrl: picture('The picture'),
        textureLevel: integer(0, 100).default(50).describe('How much skin texture to add.'),
        poresDetail: integer(0, 100).default(50).describe('How visible pores become.'),
        lightingFix: boolean().default(true).describe('Whether uneven light on the skin is evened out.'),
        callbackUrl,
      })
      .meta({ id: 'SkinEnhanceRequest' }),
    example: { imageUrl: example, textureLevel: 60, callbackUrl: 'https://example.com/webhooks' },
    exampleCost: 5,
  }),
} as const;
