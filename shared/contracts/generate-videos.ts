/** The generation operations that result in videos. */
import * as z from 'zod';
import { defaultPrices as prices } from '../catalog/prices.ts';
import { imageUrl, listOf, oneOf, text } from './fields.ts';
import { acceptedImages, fetchedLater } from './generate-images.ts';
import { callbackUrl, generation } from './generation.ts';

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

/** What cannot be configured, in pixels and seconds. */
export const ugcVideo = { width: 720, height: 1280, durationSec: 8 } as const;

const lifecycle =
  'The task goes pending → submitted → processing → completed or failed; a failed task is refunded in full.';

const costs = (credits: number) => `Costs ${credits} credits at the default prices.`;

const videoOperation = {
  scope: 'generate:video',
  medium: 'video',
  timeLimitSeconds: 1800,
  showsSubmitted: true,
  errors: ['GENERATION_FAILED'],
} as const;

export const videoContracts = {
  generateUgcVideo: generation({
    ...videoOperation,
    operationId: 'generateUgcVideo',
    taskType: 'video-ugc',
    summary: 'Generate a video of a person who speaks a line',
    description: `The result is an MP4 of ${ugcVideo.durationSec} seconds, 9:16, ${ugcVideo.width} × ${ugcVideo.height} pixels, with sound; none of this can be configured. ${costs(prices.videoUgc.credits)} ${lifecycle}`,
    body: () =>
      z
        .object({
          template: oneOf(ugcTemplates).describe('How the video is filmed.'),
          combinedImages: listOf(imageUrl(), 2, 1).describe(
            `One or two images: the first and the last frame of the video, cropped to 9:16; one image is used for both. Each ${acceptedImages}. ${fetchedLater}`,
          ),
          action: text(1).describe('What the person does.'),
          speech: text(1, 90).describe('The line that the person speaks.'),
          voiceType: oneOf(ugcVoiceTypes).default('auto').describe('The kind of voice.'),
          emotion: oneOf(ugcEmotions).default('auto').describe('The emotion in voice and face.'),
          gender: oneOf(ugcGenders).default('auto').describe('The gender of the voice.'),
          language: oneOf(ugcLanguages).default('auto').describe('The language of the line; `auto` detects it.'),
          accent: oneOf(ugcAccents).default('auto').describe('A Brazilian accent.'),
          backgroundSound: text(0)
            .optional()
            .describe('Background sound or effects; without it, only the voice is heard.'),
          productDescription: text(0).optional().describe('The product in the video.'),
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
} as const;
