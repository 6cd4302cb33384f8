/** The kinds of videos that are measured: the request, and the result of the engine. */
import type { Client } from '../../client/client.ts';
import { defaultModes } from '../../shared/catalog/studio-modes.ts';
import { ugcVideo } from '../../shared/contracts/generate-videos.ts';
import { type VideoFrame, videoFrame } from '../../shared/contracts/video-frame.ts';
import { imitatedSeconds, studioSeconds } from './assumptions.ts';
import type { VideoKind } from './task-record.ts';

interface Common {
  readonly callbackUrl: string;
}

/** Creates one task; a second call creates another one like it. */
type Request = (common: Common, idempotencyKey: string) => Promise<{ readonly data: { readonly taskId: string } }>;

interface VideoTask {
  /** The promised video; the service rejects other results. */
  readonly result: VideoFrame & { readonly durationSec: number };
  /** Prepares what the request refers to; `urlOf` returns the URLs of its files. */
  readonly prepare: (api: Client, urlOf: (name: InputName) => string) => Promise<Request>;
}

export const inputNames = ['image.png', 'motion.mp4', 'recording.mp3'] as const;
export type InputName = (typeof inputNames)[number];

const upright = videoFrame('720p', '9:16');
/** A mode in which a person speaks. */
const mode = defaultModes.find(({ avatarPolicy }) => avatarPolicy === 'required')?.slug ?? '';

export const videoTasks: Readonly<Record<VideoKind, VideoTask>> = {
  creative: {
    result: { ...upright, durationSec: 5 },
    prepare: async (api) => (common, idempotencyKey) =>
      api.generateCreativeVideo({
        body: { ...common, prompt: 'Um farol ao amanhecer, ondas batem nas pedras' },
        idempotencyKey,
      }),
  },
  ugc: {
    result: ugcVideo,
    prepare: async (api, urlOf) => (common, idempotencyKey) => {
      const combinedImages = [urlOf('image.png'), urlOf('image.png')];
      const scene = { template: 'selfie', action: 'sorri para a câmera', speech: 'Gente, olha que café!' } as const;
      return api.generateUgcVideo({ body: { ...common, ...scene, combinedImages }, idempotencyKey });
    },
  },
  imitate: {
    result: { ...upright, durationSec: imitatedSeconds },
    prepare: async (api, urlOf) => (common, idempotencyKey) => {
      const files = { characterImage: urlOf('image.png'), motionVideo: urlOf('motion.mp4') };
      return api.imitateVideo({ body: { ...common, ...files }, idempotencyKey });
    },
  },
  studio: {
    result: { ...upright, durationSec: studioSeconds },
    async prepare(api, urlOf) {
      const images = [urlOf('image.png')];
      const product = await api.createStudioProduct({ body: { title: 'Café', description: 'Torrado hoje.', images } });
      const avatar = await api.createStudioAvatar({ body: { name: 'Ana', imageUrl: urlOf('image.png') } });
      const cast = { productId: product.data.id, avatarId: avatar.data.id };
      const shape = { resolution: '720p', aspectRatio: '9:16', durationSec: studioSeconds } as const;
      return (common, idempotencyKey) =>
        api.generateStudioVideo({ body: { ...common, ...cast, ...shape, mode }, idempotencyKey });
    },
  },
};
