/** The demo's video requests, each with its sample images and the video that it must result in. */
import type { Client } from '../../../client/client.ts';
import type { SampleName, SampleServer } from '../images/sample-server.ts';
import { sampleFile } from '../images/sample-server.ts';
import type { DemoRequest } from '../order.ts';
import type { PageFile } from '../results-page.ts';
import { motionSeconds } from './motion-video.ts';

export interface ExpectedVideo {
  readonly width: number;
  readonly height: number;
  readonly durationSec: number;
  readonly hasAudio: boolean;
}

export interface VideoRequest extends DemoRequest {
  readonly expected: ExpectedVideo;
}

interface Given<Body> {
  readonly name: string;
  readonly samples: readonly SampleName[];
  /** Further input files. */
  readonly files?: readonly PageFile[];
  /** What is shown of the request besides its images. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly body: Body;
  readonly expected: ExpectedVideo;
}

type Call<Body> = (request: {
  readonly body: Body & { readonly callbackUrl: string };
  readonly idempotencyKey: string;
}) => ReturnType<DemoRequest['send']>;

const request = <Body extends object>(
  { name, samples, files = [], options, body, expected }: Given<Body>,
  call: (api: Client) => Call<Body>,
): VideoRequest => ({
  name,
  summary: [
    name,
    ...samples,
    ...files.map(({ caption }) => caption),
    ...Object.entries(options).map(([field, value]) => `${field} ${JSON.stringify(value)}`),
  ].join('  '),
  idempotencyKey: `demo-${name}`,
  inputs: async () => [...(await Promise.all(samples.map(sampleFile))), ...files],
  fileNames: [`${name}.mp4`],
  send: (api, { callbackUrl, idempotencyKey }) => call(api)({ body: { ...body, callbackUrl }, idempotencyKey }),
  expected,
});

const creativeFrames = {
  prompt: 'Uma xícara de café ao amanhecer; ao longe, um foguete decola e a câmera o acompanha',
  durationSec: 6,
} as const;

const creativeArt = {
  prompt: 'Um farol ao amanhecer, ondas batem nas pedras',
  durationSec: 4,
  aspectRatio: '16:9',
  resolution: '480p',
} as const;

const ugc = {
  template: 'selfie',
  action: 'sorri para a câmera e aponta para a xícara',
  speech: 'Gente, olha que café incrível que eu encontrei!',
  emotion: 'empolgado',
  backgroundSound: 'cafeteria movimentada',
} as const;

const imitation = { model: 'vendor-motion-3.0', quality: '720p' } as const;

const product = {
  title: 'Café da Serra',
  description: 'Grãos torrados na semana, com notas de chocolate. Rende um café encorpado e sem amargor.',
} as const;

const testimonial = {
  mode: 'depoimento',
  resolution: '480p',
  userPrompt: 'Eu troquei o meu café por este e não volto mais atrás!',
  hookId: 'pergunta-direta',
  settingId: 'cozinha',
  aspectRatio: '9:16',
  durationSec: 6,
} as const;

const showcase = {
  mode: 'vitrine',
  resolution: '480p',
  hookId: 'novidade',
  settingId: 'cidade-a-noite',
  durationSec: 5,
} as const;

/** Creates the product first and, if the video has one, the avatar. */
const studio =
  ({ urlOf }: SampleServer, options: typeof testimonial | typeof showcase, avatarName?: string) =>
  (api: Client): Call<object> =>
  async ({ body: { callbackUrl }, idempotencyKey }) => {
    const images = [urlOf('coffee.png')];
    const { data: made } = await api.createStudioProduct({
      body: { ...product, images },
      idempotencyKey: `${idempotencyKey}-product`,
    });
    const avatar = avatarName && {
      avatarId: (
        await api.createStudioAvatar({
          body: { name: avatarName, imageUrl: urlOf('astronaut.jpg') },
          idempotencyKey: `${idempotencyKey}-avatar`,
        })
      ).data.id,
    };
    const body = { ...options, ...avatar, productId: made.id, callbackUrl };
    return api.generateStudioVideo({ body, idempotencyKey });
  };

const studioRequests = (server: SampleServer): readonly VideoRequest[] => [
  request(
    {
      name: '5-video-studio-testimonial',
      samples: ['coffee.png', 'astronaut.jpg'],
      options: testimonial,
      body: {},
      expected: { width: 480, height: 854, durationSec: 6, hasAudio: true },
    },
    studio(server, testimonial, 'Ana'),
  ),
  request(
    {
      name: '6-video-studio-showcase',
      samples: ['coffee.png'],
      options: showcase,
      body: {},
      expected: { width: 640, height: 480, durationSec: 5, hasAudio: true },
    },
    studio(server, showcase),
  ),
];

/** One entry for each video; `motion` is the video to imitate. */
export const videoRequests = (server: SampleServer, motion: PageFile): readonly [VideoRequest, ...VideoRequest[]] => [
  request(
    {
      name: '1-video-creative-frames',
      samples: ['coffee.png', 'rocket.jpg'],
      options: creativeFrames,
      body: { ...creativeFrames, imageUrl: server.urlOf('coffee.png'), lastImageUrl: server.urlOf('rocket.jpg') },
      expected: { width: 720, height: 1280, durationSec: 6, hasAudio: true },
    },
    (api) => api.generateCreativeVideo,
  ),
  request(
    {
      name: '2-video-creative-prompt',
      samples: [],
      options: creativeArt,
      body: { ...creativeArt, audio: false },
      expected: { width: 854, height: 480, durationSec: 4, hasAudio: false },
    },
    (api) => api.generateCreativeVideo,
  ),
  request(
    {
      name: '3-video-ugc',
      samples: ['astronaut.jpg', 'coffee.png'],
      options: ugc,
      body: { ...ugc, combinedImages: [server.urlOf('astronaut.jpg'), server.urlOf('coffee.png')] },
      expected: { width: 720, height: 1280, durationSec: 8, hasAudio: true },
    },
    (api) => api.generateUgcVideo,
  ),
  request(
    {
      name: '4-video-imitate',
      samples: ['chelsea.webp'],
      files: [motion],
      options: imitation,
      body: {
        ...imitation,
        characterImage: server.urlOf('chelsea.webp'),
        motionVideo: `${server.url}/${motion.caption}`,
      },
      expected: { width: 720, height: 1280, durationSec: motionSeconds, hasAudio: true },
    },
    (api) => api.imitateVideo,
  ),
  ...studioRequests(server),
];
