/** Generation operations that result in videos. */

import * as z from 'zod';
import { defaultPrices as prices } from '../catalog/prices.ts';
import { boolean, integer, listOf, oneOf, text } from './fields.ts';
import { callbackUrl, extensionCallback, generation, priceOf } from './generation-contract.ts';
import { acceptedImages, fetchedLater } from './image-files.ts';
import { imageInput } from './image-input.ts';
import { consentField } from './likeness-consent.ts';
import { filmTypes, inputLimits, megabytes, typeNames } from './media.ts';
import { imageUrl, videoUrl } from './url-fields.ts';
import { videoTolerances } from './video-frame.ts';
import { videoOperation } from './video-operation.ts';

export const ugcTemplates = [
  'general',
  'selfie',
  'selling',
  'asmr',
  'podcast',
  'car',
  'mirror-selfie',
  'stedicam',
  'cctv',
  'handheld',
] as const;

export const ugcVoiceTypes = ['auto', 'sussurro', 'rouca', 'aspera', 'suave', 'grave', 'aguda', 'anasalada'] as const;

export const ugcEmotions = [
  'auto',
  'feliz',
  'triste',
  'raiva',
  'medo',
  'surpreso',
  'nojo',
  'empolgado',
  'calmo',
  'brincalhao',
  'serio',
  'autoritario',
] as const;

export const ugcGenders = ['auto', 'feminino', 'masculino'] as const;
export const ugcLanguages = ['auto', 'pt-BR', 'pt-PT', 'en-US', 'es-ES'] as const;
export const ugcAccents = ['auto', 'paulista', 'carioca', 'mineiro', 'nordestino'] as const;

/** An engine may ignore text beyond this many characters. */
export const ugcTextLength = 2000;

/** The fixed size and duration of a UGC video, in pixels and seconds. */
export const ugcVideo = { width: 720, height: 1280, durationSec: 8 } as const;

/** Engines limit their prompts, while the specification does not limit these fields. */
const shortened = `An engine may use only the first ${ugcTextLength} characters.`;

export const motionModels = ['vendor-motion-2.6', 'vendor-motion-3.0'] as const;
export type MotionModel = (typeof motionModels)[number];

export const motionQualities = ['720p', '1080p'] as const;
export type MotionQuality = (typeof motionQualities)[number];

const frame = (what: string, crop: string) => imageInput(`${what}, ${crop}`).optional();

const perSecond = prices.videoCreative;

const CreativeVideoRequest = () =>
  z
    .object({
      prompt: text(1, 4000).describe('What the video shows and how it moves.'),
      imageUrl: frame('The first frame', 'cropped to the aspect ratio'),
      lastImageUrl: frame('The last frame (requires `imageUrl`)', 'cropped to the aspect ratio'),
      durationSec: integer(4, 10).default(5).describe('The duration in seconds.'),
      aspectRatio: oneOf(['9:16', '16:9', '1:1']).default('9:16').describe('The ratio of width to height.'),
      resolution: oneOf(['480p', '720p', '1080p'])
        .default('720p')
        .describe('The length of the shorter side, in pixels.'),
      audio: boolean().default(true).describe('Whether the video has sound.'),
      ...extensionCallback(),
    })
    .refine(({ imageUrl: first, lastImageUrl: last }) => last === undefined || first !== undefined, {
      path: ['lastImageUrl'],
      error: 'requires imageUrl',
    })
    .meta({ id: 'CreativeVideoRequest', dependentRequired: { lastImageUrl: ['imageUrl'] } });

const { maxBytes, maxSidePixels } = inputLimits.video;
const imitation = prices.videoImitate;

const engineLimits =
  'Engines may be stricter: some reject WebP, WebM, Matroska, small dimensions, or aspect ratios other than about 9:16. A file that no configured engine accepts is rejected with 400.';

export const videoContracts = {
  generateCreativeVideo: generation({
    ...videoOperation,
    operationId: 'generateCreativeVideo',
    taskType: 'video-creative',
    edits: 'imageUrl',
    paidSeconds: 'durationSec',
    summary: 'Generate a video from a prompt',
    description: `The result is an MP4 that begins with \`imageUrl\` and ends with \`lastImageUrl\`, if they are given. ${videoTolerances}`,
    price: `${perSecond.creditsPerSecondAt480p}, ${perSecond.creditsPerSecondAt720p} or ${perSecond.creditsPerSecondAt1080p} credits per second at 480p, 720p or 1080p`,
    body: CreativeVideoRequest,
    example: {
      prompt: 'Uma xícara de café fumegante ao amanhecer, a câmera se aproxima devagar',
      imageUrl: 'https://example.com/cafe.jpg',
      durationSec: 6,
    },
    exampleCost: 6 * perSecond.creditsPerSecondAt720p,
  }),
  generateUgcVideo: generation({
    ...videoOperation,
    operationId: 'generateUgcVideo',
    taskType: 'video-ugc',
    edits: 'combinedImages',
    usesLikeness: 'always',
    paidSeconds: ugcVideo.durationSec,
    summary: 'Generate a video of a person speaking a line',
    description: `The result is always a 9:16 MP4 of ${ugcVideo.durationSec} seconds and ${ugcVideo.width} × ${ugcVideo.height} pixels, with sound. ${videoTolerances}`,
    price: priceOf(prices.videoUgc),
    body: () =>
      z
        .object({
          template: oneOf(ugcTemplates).describe('How the video is filmed.'),
          combinedImages: listOf(imageUrl(), 2, 1).describe(
            `One or two images: the first and the last frame of the video, cropped to 9:16; a single image is used for both. Each ${acceptedImages}. ${fetchedLater}`,
          ),
          action: text(1).describe(`What the person does. ${shortened}`),
          speech: text(1, 90).describe('The line that the person speaks.'),
          voiceType: oneOf(ugcVoiceTypes).default('auto').describe('The kind of voice.'),
          emotion: oneOf(ugcEmotions).default('auto').describe('The emotion in the voice and the face.'),
          gender: oneOf(ugcGenders).default('auto').describe('The gender of the voice.'),
          language: oneOf(ugcLanguages).default('auto').describe('The language of the line; `auto` detects it.'),
          accent: oneOf(ugcAccents).default('auto').describe('The Brazilian accent of the voice.'),
          backgroundSound: text(0)
            .optional()
            .describe(`Background sound or effects; without it, only the voice is heard. ${shortened}`),
          productDescription: text(0).optional().describe(`The product in the video. ${shortened}`),
          ...consentField(),
          callbackUrl: callbackUrl(),
        })
        .meta({ id: 'VideoUgcRequest' }),
    example: {
      template: 'selfie',
      combinedImages: ['https://example.com/ana.jpg'],
      action: 'segura a xícara e sorri para a câmera',
      speech: 'Gente, olha que café incrível!',
      emotion: 'empolgado',
      language: 'pt-BR',
      callbackUrl: 'https://example.com/webhooks',
    },
    exampleCost: prices.videoUgc.credits,
  }),
  imitateVideo: generation({
    ...videoOperation,
    operationId: 'imitateVideo',
    taskType: 'video-imitate',
    edits: 'motionVideo',
    usesLikeness: 'always',
    paidSeconds: { measured: 'durationSec' },
    summary: 'Animate a character with the motion of a video',
    description: `The result is a 9:16 MP4 with the duration and the sound of \`motionVideo\`: 720 × 1280 pixels at \`720p\`, 1080 × 1920 at \`1080p\`. ${videoTolerances} Both files are inspected when the task is created: a file that cannot be downloaded or read then, or that exceeds a limit, is rejected with 400 (not with 502 DOWNLOAD_FAILED, as in \`generateCortes\`); once it can be downloaded, the same request can be sent again. The duration is that of the picture, measured from the media itself and rounded to a tenth of a second; a file that declares another one is rejected with 400.`,
    price: `${imitation.creditsPerSecond26At720p} credits at 720p and ${imitation.creditsPerSecond26At1080p} at 1080p with \`vendor-motion-2.6\`, and ${imitation.creditsPerSecond30At720p} and ${imitation.creditsPerSecond30At1080p} with \`vendor-motion-3.0\`, for each full or partial second of \`motionVideo\``,
    body: () =>
      z
        .object({
          characterImage: imageUrl().describe(`The character to animate: ${acceptedImages}. ${engineLimits}`),
          motionVideo: videoUrl({ types: filmTypes, minSeconds: 3, maxSeconds: 30 }).describe(
            `The motion to imitate: an MP4 or, as an extension, a ${typeNames(filmTypes.slice(1))} file (by its content, not its name) with 3 to 30 seconds of video, at most ${megabytes(maxBytes)} and ${maxSidePixels} pixels per side. ${engineLimits}`,
          ),
          model: oneOf(motionModels)
            .default('vendor-motion-2.6')
            .describe('`vendor-motion-3.0` follows the motion more closely.'),
          quality: oneOf(motionQualities).default('720p').describe('The resolution of the result.'),
          ...consentField(),
          callbackUrl: callbackUrl(),
        })
        .meta({ id: 'VideoImitateRequest' }),
    example: {
      characterImage: 'https://example.com/ana.jpg',
      motionVideo: 'https://example.com/dance.mp4',
      model: 'vendor-motion-3.0',
      callbackUrl: 'https://example.com/webhooks',
    },
    // The video in the example lasts ten seconds.
    exampleCost: 10 * imitation.creditsPerSecond30At720p,
  }),
} as const;
