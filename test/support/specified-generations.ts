/** The specification of the generation operations, typed from its text. */
import type { generateContracts } from '../../shared/contracts/generate.ts';
import type { TaskType } from '../../shared/contracts/task-types.ts';
import { authenticated, fields, readOnly, type SpecifiedOperation, words } from './specified-operation.ts';
import { aspectRatios, voiceSlugs } from './specified-sets.ts';

const extensions = ['callbackurl'] as const;
const consent = 'likenessconsent';

/** The time limit of images and audio: 10 minutes. */
const generation = {
  ...readOnly,
  timeLimitSeconds: 600,
  method: 'POST',
  scopes: ['generate:image'],
  success: 202,
  idempotent: true,
  dryRun: true,
  errors: {
    ...authenticated,
    VALIDATION_ERROR: 400,
    INSUFFICIENT_CREDITS: 402,
    MAX_CONCURRENT_TASKS: 429,
    GENERATION_FAILED: 502,
    PROVIDER_UNAVAILABLE: 503,
  },
  headers: {
    'x-client-reference': { kind: 'text', from: 1, to: 128 },
    'x-dry-run': { kind: 'one of', values: ['true', 'false'] },
  },
  data: { taskId: 'string', status: 'string' },
} as const;

const video = { ...generation, scopes: ['generate:video'], timeLimitSeconds: 1800 } as const;

/** Each item of a batch has the limits and errors of its own operation. */
export const specifiedBatch: SpecifiedOperation = {
  ...readOnly,
  extension: true,
  method: 'POST',
  path: '/api/v1/generate/batch',
  scopes: ['generate:image', 'generate:video', 'generate:audio'],
  idempotent: true,
  errors: authenticated,
  headers: { 'x-dry-run': { kind: 'one of', values: ['true', 'false'] } },
  body: { items: { kind: 'batch items', from: 1, to: 20, required: true } },
  data: fields(`
    items: array, items[].status: integer, items[].data?: object|object|object, items[].data.taskId items[].data.status
    items[].data.variationGroup, items[].data.cost items[].data.balance: integer, items[].data.operation,
    items[].error?: object, items[].error.code items[].error.message
  `),
};

export const specifiedGenerations: Readonly<Record<keyof typeof generateContracts, SpecifiedOperation>> = {
  generateImage: {
    ...generation,
    path: '/api/v1/generate/image',
    extensions,
    body: {
      prompt: { kind: 'text', from: 1, to: 4000, required: true },
      negativePrompt: { kind: 'text', from: 0, to: 2000 },
      aspectRatio: { kind: 'one of', values: aspectRatios, byDefault: '1:1' },
      numImages: { kind: 'integer', from: 1, to: 4, byDefault: 1 },
      seed: { kind: 'integer', from: 0 },
      callbackUrl: { kind: 'url' },
    },
  },
  editImage: {
    ...generation,
    path: '/api/v1/generate/image-edit',
    extensions,
    body: {
      imageUrl: { kind: 'url', required: true },
      prompt: { kind: 'text', from: 1, to: 4000, required: true },
      referenceImages: { kind: 'urls', to: 4 },
      maskUrl: { kind: 'url' },
      callbackUrl: { kind: 'url' },
    },
  },
  replaceCharacter: {
    ...generation,
    path: '/api/v1/generate/character-replace',
    extensions: [...extensions, consent],
    body: {
      imageUrl: { kind: 'url', required: true },
      characterImage: { kind: 'url', required: true },
      prompt: { kind: 'text', from: 0, to: 2000 },
      likenessConsent: { kind: 'boolean' },
      callbackUrl: { kind: 'url' },
    },
  },
  removeBackground: {
    ...generation,
    path: '/api/v1/generate/background-remove',
    extensions,
    body: {
      imageUrl: { kind: 'url', required: true },
      format: { kind: 'one of', values: ['png', 'webp'], byDefault: 'png' },
      background: { kind: 'background', byDefault: 'transparent' },
      callbackUrl: { kind: 'url' },
    },
  },
  upscaleImage: {
    ...generation,
    path: '/api/v1/generate/image-upscale',
    extensions,
    body: {
      imageUrl: { kind: 'url', required: true },
      scale: { kind: 'one of numbers', values: [2, 4], byDefault: 2 },
      callbackUrl: { kind: 'url' },
    },
  },
  generateInfluencer: {
    ...generation,
    path: '/api/v1/generate/influencer',
    extensions,
    body: {
      name: { kind: 'text', from: 1, to: 120, required: true },
      description: { kind: 'text', from: 1, to: 2000, required: true },
      gender: { kind: 'one of', values: ['feminino', 'masculino', 'auto'], byDefault: 'auto' },
      ageRange: { kind: 'one of', values: ['18-25', '26-35', '36-50', '51+'] },
      referenceImages: { kind: 'urls', to: 4 },
      aspectRatio: { kind: 'one of', values: aspectRatios, byDefault: '3:4' },
      callbackUrl: { kind: 'url' },
    },
  },
  enhanceSkin: {
    ...generation,
    path: '/api/v1/generate/skin-enhance',
    body: {
      imageUrl: { kind: 'url', required: true },
      textureLevel: { kind: 'integer', from: 0, to: 100, byDefault: 50 },
      poresDetail: { kind: 'integer', from: 0, to: 100, byDefault: 50 },
      lightingFix: { kind: 'boolean', byDefault: true },
      callbackUrl: { kind: 'url' },
    },
  },
  generateVoice: {
    ...generation,
    path: '/api/v1/generate/voice',
    scopes: ['generate:audio'],
    body: {
      text: { kind: 'text', from: 1, to: 2000, required: true },
      voice: { kind: 'one of', values: voiceSlugs, anyCase: true },
      voiceId: { kind: 'text', from: 1 },
      stability: { kind: 'number', from: 0, to: 1, byDefault: 0.5 },
      similarityBoost: { kind: 'number', from: 0, to: 1, byDefault: 0.75 },
      callbackUrl: { kind: 'url' },
    },
  },
  generateCreativeVideo: {
    ...video,
    path: '/api/v1/generate/video-creative',
    extensions,
    body: {
      prompt: { kind: 'text', from: 1, to: 4000, required: true },
      imageUrl: { kind: 'url' },
      lastImageUrl: { kind: 'url' },
      durationSec: { kind: 'integer', from: 4, to: 10, byDefault: 5 },
      aspectRatio: { kind: 'one of', values: ['9:16', '16:9', '1:1'], byDefault: '9:16' },
      resolution: { kind: 'one of', values: ['480p', '720p', '1080p'], byDefault: '720p' },
      audio: { kind: 'boolean', byDefault: true },
      callbackUrl: { kind: 'url' },
    },
  },
  generateUgcVideo: {
    ...video,
    path: '/api/v1/generate/video-ugc',
    extensions: [consent],
    body: {
      template: {
        kind: 'one of',
        values: words('general selfie selling asmr podcast car mirror-selfie stedicam cctv handheld'),
        required: true,
      },
      combinedImages: { kind: 'urls', from: 1, to: 2, required: true },
      action: { kind: 'text', from: 1, required: true },
      speech: { kind: 'text', from: 1, to: 90, required: true },
      voiceType: {
        kind: 'one of',
        values: ['auto', 'sussurro', 'rouca', 'aspera', 'suave', 'grave', 'aguda', 'anasalada'],
        byDefault: 'auto',
      },
      emotion: {
        kind: 'one of',
        values: words('auto feliz triste raiva medo surpreso nojo empolgado calmo brincalhao serio autoritario'),
        byDefault: 'auto',
      },
      gender: { kind: 'one of', values: ['auto', 'feminino', 'masculino'], byDefault: 'auto' },
      language: { kind: 'one of', values: ['auto', 'pt-BR', 'pt-PT', 'en-US', 'es-ES'], byDefault: 'auto' },
      accent: {
        kind: 'one of',
        values: ['auto', 'paulista', 'carioca', 'mineiro', 'nordestino'],
        byDefault: 'auto',
      },
      backgroundSound: { kind: 'text', from: 0 },
      productDescription: { kind: 'text', from: 0 },
      likenessConsent: { kind: 'boolean' },
      callbackUrl: { kind: 'url' },
    },
  },
  imitateVideo: {
    ...video,
    path: '/api/v1/generate/video-imitate',
    extensions: [consent],
    body: {
      characterImage: { kind: 'url', required: true },
      motionVideo: { kind: 'url', required: true },
      model: {
        kind: 'one of',
        values: ['vendor-motion-2.6', 'vendor-motion-3.0'],
        byDefault: 'vendor-motion-2.6',
      },
      quality: { kind: 'one of', values: ['720p', '1080p'], byDefault: '720p' },
      likenessConsent: { kind: 'boolean' },
      callbackUrl: { kind: 'url' },
    },
  },
  generateStudioVideo: {
    ...video,
    path: '/api/v1/generate/video-studio',
    feature: 'studio',
    extensions: [...extensions, consent],
    errors: { ...generation.errors, FEATURE_DISABLED: 503 },
    body: {
      mode: { kind: 'text', from: 1, to: 200, required: true },
      productId: { kind: 'text', from: 1, to: 200, required: true },
      resolution: { kind: 'one of', values: ['480p', '720p'], required: true },
      userPrompt: { kind: 'text', from: 0, to: 2000 },
      hookId: { kind: 'text', from: 0, to: 200 },
      settingId: { kind: 'text', from: 0, to: 200 },
      avatarId: { kind: 'text', from: 0, to: 200 },
      aspectRatio: {
        kind: 'one of',
        values: ['auto', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16'],
        byDefault: 'auto',
      },
      durationSec: { kind: 'integer', from: 4, to: 15, byDefault: 15 },
      likenessConsent: { kind: 'boolean' },
      callbackUrl: { kind: 'url' },
    },
    data: { ...generation.data, variationGroup: 'string' },
  },
  generateCortes: {
    ...generation,
    path: '/api/v1/generate/cortes',
    scopes: ['generate:video'],
    timeLimitSeconds: 3600,
    errors: { ...generation.errors, DOWNLOAD_FAILED: 502, FEATURE_DISABLED: 503 },
    extensions,
    body: {
      videoUrl: { kind: 'url', required: true },
      aspectRatio: { kind: 'one of', values: ['9:16', '16:9', '1:1', '4:5', '4:3', '3:4'], byDefault: '9:16' },
      durationSec: { kind: 'positive number' },
      callbackUrl: { kind: 'url' },
    },
  },
  changeVoice: {
    ...generation,
    path: '/api/v1/generate/voice-change',
    extensions: [...extensions, consent],
    scopes: ['generate:audio'],
    body: {
      audioUrl: { kind: 'url', required: true },
      voice: { kind: 'one of', values: voiceSlugs, anyCase: true },
      voiceId: { kind: 'text', from: 1 },
      stability: { kind: 'number', from: 0, to: 1, byDefault: 0.5 },
      similarityBoost: { kind: 'number', from: 0, to: 1, byDefault: 0.75 },
      removeNoise: { kind: 'boolean', byDefault: false },
      likenessConsent: { kind: 'boolean' },
      callbackUrl: { kind: 'url' },
    },
  },
};

/** The task types in the order of the contract: each is the last part of its operation's path. */
export const taskTypes = Object.values(specifiedGenerations).map(
  ({ path }) => path.slice('/api/v1/generate/'.length) as TaskType,
);
