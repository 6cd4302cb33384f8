/**
 * An example of each generation, which the demo runs: its request, and the files in `site/media` that show its inputs
 * and its result.
 */
import type { generateContracts } from '../../shared/contracts/generate.ts';

interface Example {
  readonly body: Readonly<Record<string, unknown>>;
  /** Each input's file with what it shows. */
  readonly inputs: readonly (readonly [file: string, alt: string])[];
  readonly result: readonly [file: string, alt: string];
}

const url = (name: string): string => `https://example.com/${name}`;

const astronaut = ['astronaut.webp', 'A smiling astronaut'] as const;
const coffee = ['coffee.webp', 'A cup of coffee'] as const;
const rocket = ['rocket.webp', 'A rocket on its launch pad'] as const;

/** The type requires an example for every operation. */
export const examples: Readonly<Record<keyof typeof generateContracts, Example>> = {
  generateImage: {
    body: { prompt: 'A lighthouse at dawn, warm light over a calm sea', aspectRatio: '16:9', numImages: 2, seed: 7 },
    inputs: [],
    result: ['image.webp', 'A lighthouse by the sea'],
  },
  editImage: {
    body: { imageUrl: url('coffee.png'), prompt: 'Black and white, with more contrast and a vignette' },
    inputs: [coffee],
    result: ['image-edit.webp', 'The cup in black and white'],
  },
  replaceCharacter: {
    body: { imageUrl: url('rocket.jpg'), characterImage: url('astronaut.jpg') },
    inputs: [rocket, astronaut],
    result: ['character-replace.webp', 'The astronaut in the scene with the rocket'],
  },
  removeBackground: {
    body: { imageUrl: url('astronaut.jpg'), format: 'png' },
    inputs: [astronaut],
    result: ['background-remove.webp', 'The astronaut without a background'],
  },
  upscaleImage: {
    body: { imageUrl: url('coffee.png'), scale: 2 },
    inputs: [coffee],
    result: ['image-upscale.webp', 'The cup with twice as many pixels per side'],
  },
  generateInfluencer: {
    body: { name: 'Ana', description: 'Chef, ruiva, de óculos' },
    inputs: [],
    result: ['influencer.webp', 'A cook with red hair and glasses'],
  },
  enhanceSkin: {
    body: { imageUrl: url('astronaut.jpg'), textureLevel: 60, poresDetail: 60 },
    inputs: [astronaut],
    result: ['skin-enhance.webp', 'The astronaut with more texture in the skin'],
  },
  generateVoice: {
    body: { text: 'Olá! Esta frase custa um crédito.', voice: 'sarah' },
    inputs: [],
    result: ['voice.mp3', 'The sentence, spoken'],
  },
  generateCreativeVideo: {
    body: {
      prompt: 'Um farol ao amanhecer, ondas batem nas pedras',
      durationSec: 4,
      audio: false,
      aspectRatio: '16:9',
      resolution: '480p',
    },
    inputs: [],
    result: ['video-creative.webp', 'A frame of the video: a lighthouse and waves'],
  },
  generateUgcVideo: {
    body: {
      template: 'selfie',
      action: 'sorri para a câmera e aponta para a xícara',
      emotion: 'empolgado',
      speech: 'Gente, olha que café incrível que eu encontrei!',
      combinedImages: [url('astronaut.jpg'), url('coffee.png')],
    },
    inputs: [astronaut, coffee],
    result: ['video-ugc.webp', 'A frame of the video: a person recommends the coffee'],
  },
  imitateVideo: {
    body: { model: 'vendor-motion-3.0', motionVideo: url('motion.mp4'), characterImage: url('chelsea.webp') },
    inputs: [['chelsea.webp', 'A cat']],
    result: ['video-imitate.webp', 'A frame of the video: the cat moves'],
  },
  generateStudioVideo: {
    body: {
      productId: '0193a5c4-8f0f-7aa2-b1c3-1d2e3f405162',
      avatarId: '0193a5c4-8f0f-7aa2-b1c3-1d2e3f405163',
      mode: 'depoimento',
      hookId: 'pergunta-direta',
      settingId: 'cozinha',
      aspectRatio: '9:16',
      userPrompt: 'Eu troquei o meu café por este e não volto mais atrás!',
      resolution: '480p',
      durationSec: 6,
    },
    inputs: [coffee, astronaut],
    result: ['video-studio.webp', 'A frame of the video: a person presents the coffee'],
  },
  generateCortes: {
    body: { videoUrl: url('interview.mp4'), aspectRatio: '9:16' },
    inputs: [],
    result: ['cortes.webp', 'A frame of the first clip'],
  },
  changeVoice: {
    body: { audioUrl: url('recording.mp3'), voice: 'charlotte' },
    inputs: [],
    result: ['voice-change.mp3', 'The recording in another voice'],
  },
};
