/** The requests of the demos, in one list of which each demo sends a part. */
import type { Client, OperationId, Operations } from '../../client/client.ts';
import { clipCountOf } from '../../shared/contracts/generate-cortes.ts';
import type { DemoOptions } from './demo-options.ts';
import type { SampleServer } from './images/sample-server.ts';
import { interviewSeconds, motionSeconds } from './made-inputs.ts';
import type { PageFile } from './results-page.ts';

type GenerationId = {
  [Id in OperationId]: Operations[Id] extends { readonly body: { readonly callbackUrl?: unknown } } ? Id : never;
}[OperationId];

/** The expected video; the duration is absent if the task states it. */
interface ExpectedVideo {
  readonly width: number;
  readonly height: number;
  readonly durationSec?: number;
  readonly hasAudio: boolean;
}

export interface DemoRequest {
  readonly name: string;
  /** The request on one line. */
  readonly summary: string;
  readonly inputs: () => Promise<readonly PageFile[]>;
  /** The file names of the results, in their order. */
  readonly fileNames: readonly string[];
  readonly expected: ExpectedVideo | undefined;
  readonly send: (api: Client, callbackUrl: string) => ReturnType<Client['generateVoice']>;
}

interface Results {
  readonly count?: number;
  readonly expected?: ExpectedVideo;
  /** Creates what the request refers to, and returns the fields that refer to it. */
  readonly prepare?: (api: Client) => Promise<object>;
}

/** A request: the name of the result's file, the body, and optionally what to expect and what to prepare. */
type Row<Id extends GenerationId> = readonly [file: string, body: Partial<Operations[Id]['body']>, more?: Results];

/** The requests of each operation; the compiler names an operation without one. */
type Rows = { readonly [Id in GenerationId]: readonly Row<Id>[] };

/** The samples that a request refers to become its inputs. */
function requestOf(
  server: SampleServer,
  operation: GenerationId,
  [file, body, more = {}]: Row<GenerationId>,
): DemoRequest {
  const { count = 1, expected, prepare } = more;
  const [name = '', ending] = file.split('.');
  const words = Object.entries(body).map(([field, value]) => `${field} ${JSON.stringify(value)}`);
  const samples = JSON.stringify(body).matchAll(new RegExp(`${server.url}/([\\w.-]+)`, 'g'));
  const inputs = Array.from(samples, ([, fileName = '']) => fileName);
  const numbered = Array.from({ length: count }, (_, index) => `${name}-${index + 1}.${ending}`);
  return {
    name,
    summary: `${name}  ${words.join(', ').replaceAll(`${server.url}/`, '')}`,
    inputs: () => Promise.all(inputs.map(server.fileNamed)),
    fileNames: count === 1 ? [file] : numbered,
    expected,
    async send(api, callbackUrl) {
      const send = api[operation] as unknown as Client['generateVoice'];
      const whole = { ...body, ...(await prepare?.(api)), callbackUrl } as Operations['generateVoice']['body'];
      return send({ body: whole, idempotencyKey: `demo-${name}` });
    },
  };
}

/** Creates the product and, if named, the avatar of an advertisement. */
const studioCatalog =
  ({ urlOf }: SampleServer, avatarName?: string) =>
  async (api: Client) => {
    const description = 'Grãos torrados na semana, com notas de chocolate. Rende um café encorpado e sem amargor.';
    const product = { title: 'Café da Serra', description, images: [urlOf('coffee.png')] };
    const made = await api.createStudioProduct({ body: product, idempotencyKey: `product-${avatarName}` });
    if (avatarName === undefined) return { productId: made.data.id };
    const person = { name: avatarName, imageUrl: urlOf('astronaut.jpg') };
    const avatar = await api.createStudioAvatar({ body: person, idempotencyKey: `avatar-${avatarName}` });
    return { productId: made.data.id, avatarId: avatar.data.id };
  };

function images({ urlOf }: SampleServer) {
  const [astronaut, coffee, rocket] = [urlOf('astronaut.jpg'), urlOf('coffee.png'), urlOf('rocket.jpg')];
  const sea = { prompt: 'A lighthouse at dawn, warm light over a calm sea', aspectRatio: '16:9', seed: 7 } as const;
  const edit = { imageUrl: coffee, prompt: 'Black and white, with more contrast and a vignette' };
  return {
    generateImage: [['image.png', { ...sea, numImages: 2 }, { count: 2 }]],
    editImage: [['image-edit.png', edit]],
    replaceCharacter: [['character-replace.png', { imageUrl: rocket, characterImage: astronaut }]],
    removeBackground: [['background-remove.png', { imageUrl: astronaut, format: 'png' }]],
    upscaleImage: [['image-upscale.png', { imageUrl: coffee, scale: 2 }]],
    generateInfluencer: [['influencer.png', { name: 'Ana', description: 'Chef, ruiva, de óculos' }]],
    enhanceSkin: [['skin-enhance.png', { imageUrl: astronaut, textureLevel: 60, poresDetail: 60 }]],
  } satisfies Partial<Rows>;
}

function sounds({ urlOf }: SampleServer) {
  const english = 'This one costs two, because it is longer than fifty characters.';
  return {
    generateVoice: [
      ['voice.mp3', { text: 'Olá! Esta frase custa um crédito.', voice: 'sarah' }],
      ['voice-english.mp3', { text: english, voice: 'george' }],
    ],
    changeVoice: [['voice-change.mp3', { audioUrl: urlOf('recording.mp3'), voice: 'charlotte' }]],
  } satisfies Partial<Rows>;
}

const portrait = { width: 720, height: 1280, hasAudio: true };

function videos({ urlOf }: SampleServer) {
  const [astronaut, coffee, rocket] = [urlOf('astronaut.jpg'), urlOf('coffee.png'), urlOf('rocket.jpg')];
  const frames = {
    prompt: 'Uma xícara de café ao amanhecer; ao longe, um foguete decola e a câmera o acompanha',
    durationSec: 6,
    imageUrl: coffee,
    lastImageUrl: rocket,
  };
  const waves = { prompt: 'Um farol ao amanhecer, ondas batem nas pedras', durationSec: 4, audio: false } as const;
  const person = {
    template: 'selfie',
    action: 'sorri para a câmera e aponta para a xícara',
    emotion: 'empolgado',
    speech: 'Gente, olha que café incrível que eu encontrei!',
    backgroundSound: 'cafeteria movimentada',
  } as const;
  const motion = { model: 'vendor-motion-3.0', motionVideo: urlOf('motion.mp4') } as const;
  const silent = { width: 854, height: 480, durationSec: 4, hasAudio: false };
  return {
    generateCreativeVideo: [
      ['video-creative-frames.mp4', frames, { expected: { ...portrait, durationSec: 6 } }],
      ['video-creative.mp4', { ...waves, aspectRatio: '16:9', resolution: '480p' }, { expected: silent }],
    ],
    generateUgcVideo: [
      [
        'video-ugc.mp4',
        { ...person, combinedImages: [astronaut, coffee] },
        { expected: { ...portrait, durationSec: 8 } },
      ],
    ],
    imitateVideo: [
      [
        'video-imitate.mp4',
        { ...motion, characterImage: urlOf('chelsea.webp') },
        { expected: { ...portrait, durationSec: motionSeconds } },
      ],
    ],
    // The duration is not checked, because each clip is as long as its passage.
    generateCortes: [
      [
        'cortes.mp4',
        { videoUrl: urlOf('interview.mp4'), aspectRatio: '9:16' },
        { count: clipCountOf(interviewSeconds), expected: portrait },
      ],
    ],
  } satisfies Partial<Rows>;
}

function adverts(server: SampleServer) {
  const testimonial = {
    mode: 'depoimento',
    hookId: 'pergunta-direta',
    settingId: 'cozinha',
    aspectRatio: '9:16',
    userPrompt: 'Eu troquei o meu café por este e não volto mais atrás!',
    resolution: '480p',
    durationSec: 6,
  } as const;
  const showcase = { mode: 'vitrine', hookId: 'novidade', settingId: 'cidade-a-noite', resolution: '480p' } as const;
  const high = { width: 480, height: 854, durationSec: 6, hasAudio: true };
  const wide = { width: 640, height: 480, durationSec: 5, hasAudio: true };
  return {
    generateStudioVideo: [
      ['video-studio.mp4', testimonial, { expected: high, prepare: studioCatalog(server, 'Ana') }],
      [
        'video-studio-showcase.mp4',
        { ...showcase, durationSec: 5 },
        { expected: wide, prepare: studioCatalog(server) },
      ],
    ],
  } satisfies Partial<Rows>;
}

const shows = {
  speech: { title: 'Two sentences are converted to speech.', names: /^voice(-english)?$/ },
  images: { title: 'Images are generated and edited.', names: /^(?!voice|video|cortes)/ },
  videos: { title: 'Videos from prompts and images.', names: /^video/ },
  all: { title: 'All generation operations.', names: /^(?!.*-(english|frames|showcase)$)/ },
} as const;

export function demoRequests(show: DemoOptions['show'], server: SampleServer) {
  const { title, names } = shows[show];
  const rows: Rows = { ...images(server), ...sounds(server), ...videos(server), ...adverts(server) };
  const all = (Object.keys(rows) as GenerationId[]).flatMap((operation) =>
    rows[operation].map((row) => requestOf(server, operation, row)),
  );
  const [first, ...others] = all.filter(({ name }) => names.test(name));
  if (!first) throw new Error(`the demo of ${show} has no request`);
  return { title, requests: [first, ...others] as const };
}
