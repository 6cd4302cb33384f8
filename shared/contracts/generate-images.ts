/** Generation operations that result in images. */

import * as z from 'zod';
import { defaultPrices as prices } from '../catalog/prices.ts';
import { background, boolean, integer, listOf, oneOf, oneOfNumbers, text } from './fields.ts';
import { callbackUrl, extensionCallback, generation, priceOf } from './generation-contract.ts';
import { acceptedImages, aspectRatios, fetchedLater, outputPixelsLimit } from './image-files.ts';
import { imageInput } from './image-input.ts';
import { consentField } from './likeness-consent.ts';
import { timeLimitSeconds } from './limits.ts';
import { inputLimits, megabytes } from './media.ts';
import { imageUrl } from './url-fields.ts';

const { maxBytes, maxPixels } = inputLimits.image;

const referenceImages = () =>
  listOf(imageUrl(), 4)
    .optional()
    .describe(`Up to four images to use as references: each ${acceptedImages}. ${fetchedLater}`);

const example = 'https://example.com/portrait.jpg';

const imageOperation = {
  scope: 'generate:image',
  medium: 'image',
  timeLimitSeconds: timeLimitSeconds.image,
} as const;

export const imageContracts = {
  generateImage: generation({
    ...imageOperation,
    operationId: 'generateImage',
    taskType: 'image',
    resultCountField: 'numImages',
    summary: 'Generate images',
    description: 'Returns `numImages` results.',
    price: `${prices.image.creditsPerImage} credits per image`,
    body: () =>
      z
        .object({
          prompt: text(1, 4000).describe('What the image shows.'),
          negativePrompt: text(0, 2000).optional().describe('What the image must not show.'),
          aspectRatio: oneOf(aspectRatios).default('1:1').describe('The ratio of width to height of each image.'),
          numImages: integer(1, 4).default(1).describe('How many images to generate.'),
          seed: integer(0)
            .optional()
            .describe('The same seed generates the same images, as far as the engine supports it.'),
          ...extensionCallback(),
        })
        .meta({ id: 'ImageRequest' }),
    example: { prompt: 'Um farol ao amanhecer', aspectRatio: '16:9', numImages: 2 },
    exampleCost: 2 * prices.image.creditsPerImage,
  }),
  editImage: generation({
    ...imageOperation,
    operationId: 'editImage',
    taskType: 'image-edit',
    edits: 'imageUrl',
    summary: 'Edit an image from a text prompt',
    price: priceOf(prices.imageEdit),
    body: () =>
      z
        .object({
          imageUrl: imageInput('The image to edit'),
          prompt: text(1, 4000).describe('What to change.'),
          referenceImages: referenceImages(),
          maskUrl: imageUrl()
            .optional()
            .describe(
              `A mask, which is scaled to the image: only its white areas are edited, if the engine supports masks. ${acceptedImages}. ${fetchedLater}`,
            ),
          ...extensionCallback(),
        })
        .meta({ id: 'ImageEditRequest' }),
    example: { imageUrl: example, prompt: 'Deixe a foto mais clara' },
    exampleCost: prices.imageEdit.credits,
  }),
  replaceCharacter: generation({
    ...imageOperation,
    operationId: 'replaceCharacter',
    taskType: 'character-replace',
    edits: 'imageUrl',
    usesLikeness: 'always',
    summary: 'Replace the person in a scene',
    price: priceOf(prices.characterReplace),
    body: () =>
      z
        .object({
          imageUrl: imageInput('The scene'),
          characterImage: imageInput('The person to place in it'),
          prompt: text(0, 2000).optional().describe('How to place the person in the scene.'),
          ...consentField(),
          ...extensionCallback(),
        })
        .meta({ id: 'CharacterReplaceRequest' }),
    example: { imageUrl: example, characterImage: 'https://example.com/ana.jpg' },
    exampleCost: prices.characterReplace.credits,
  }),
  removeBackground: generation({
    ...imageOperation,
    operationId: 'removeBackground',
    taskType: 'background-remove',
    edits: 'imageUrl',
    summary: 'Remove the background',
    description:
      'The result is what the image shows in front of its background, on a transparent background or one of a plain color.',
    price: priceOf(prices.backgroundRemove),
    body: () =>
      z
        .object({
          imageUrl: imageInput('The image'),
          format: oneOf(['png', 'webp']).default('png').describe('The file format of the result.'),
          background: background()
            .default('transparent')
            .describe('The new background: `transparent`, or a color in the form `#ff0000`.'),
          ...extensionCallback(),
        })
        .meta({ id: 'BackgroundRemoveRequest' }),
    example: { imageUrl: example, format: 'webp', background: '#ffffff' },
    exampleCost: prices.backgroundRemove.credits,
  }),
  upscaleImage: generation({
    ...imageOperation,
    operationId: 'upscaleImage',
    taskType: 'image-upscale',
    edits: 'imageUrl',
    summary: 'Upscale an image',
    description: `If the result would have more than ${outputPixelsLimit / 1e6} megapixels, the task fails with INPUT_INVALID.`,
    price: `${prices.imageUpscale.creditsAtTwice} credits at scale 2 and ${prices.imageUpscale.creditsAtFourTimes} at scale 4`,
    body: () =>
      z
        .object({
          imageUrl: imageInput('The image'),
          scale: oneOfNumbers([2, 4]).default(2).describe('The factor for width and height.'),
          ...extensionCallback(),
        })
        .meta({ id: 'ImageUpscaleRequest' }),
    example: { imageUrl: example, scale: 4 },
    exampleCost: prices.imageUpscale.creditsAtFourTimes,
  }),
  generateInfluencer: generation({
    ...imageOperation,
    operationId: 'generateInfluencer',
    taskType: 'influencer',
    creates: 'influencer',
    summary: 'Generate an influencer',
    description: `Creates an influencer with a portrait; the completed task has its id in \`influencerId\`. The portrait is stored as long as other results.`,
    price: priceOf(prices.influencer),
    body: () =>
      z
        .object({
          name: text(1, 120).describe('The name of the influencer.'),
          description: text(1, 2000).describe('The appearance and character of the person.'),
          gender: oneOf(['feminino', 'masculino', 'auto'])
            .default('auto')
            .describe('The gender of the person; `auto` follows the description.'),
          ageRange: oneOf(['18-25', '26-35', '36-50', '51+'])
            .optional()
            .describe('The apparent age of the person, in years.'),
          referenceImages: referenceImages(),
          aspectRatio: oneOf(aspectRatios).default('3:4').describe('The ratio of width to height of the portrait.'),
          ...extensionCallback(),
        })
        .meta({ id: 'InfluencerRequest' }),
    example: { name: 'Ana', description: 'Chef de cozinha, sorridente, cabelo curto', gender: 'feminino' },
    exampleCost: prices.influencer.credits,
  }),
  enhanceSkin: generation({
    ...imageOperation,
    operationId: 'enhanceSkin',
    taskType: 'skin-enhance',
    edits: 'imageUrl',
    summary: 'Enhance skin texture',
    description: `Adds micro-texture and pores without changing features, expression, hair, clothes or background. The image is inspected when the task is created: an image of more than ${megabytes(maxBytes)} or ${maxPixels / 1e6} megapixels is rejected; otherwise, the result has the supported aspect ratio nearest to that of the image, or 1:1 if the image cannot be downloaded or read then.`,
    price: priceOf(prices.skinEnhance),
    body: () =>
      z
        .object({
          imageUrl: imageInput('The image'),
          textureLevel: integer(0, 100).default(50).describe('How much skin texture to add.'),
          poresDetail: integer(0, 100).default(50).describe('How visible pores become.'),
          lightingFix: boolean().default(true).describe('Whether uneven light on the skin is evened out.'),
          callbackUrl: callbackUrl(),
        })
        .meta({ id: 'SkinEnhanceRequest' }),
    example: { imageUrl: example, textureLevel: 60, callbackUrl: 'https://example.com/webhooks' },
    exampleCost: prices.skinEnhance.credits,
  }),
} as const;
