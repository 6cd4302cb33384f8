/**
 * Requests of every operation, and the results that test mode must return for them; typed by hand, never derived from
 * the code.
 */
import { generationOf } from '../../../shared/contracts/generate.ts';
import { type TaskType, taskTypes } from '../../../shared/contracts/task-types.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { promisedVideo } from '../../support/promised-videos.ts';

export interface ExpectedResult {
  readonly contentType: string;
  readonly width?: number;
  readonly height?: number;
  readonly durationSec?: number;
  readonly hasSound?: boolean;
}

export interface TestRequest {
  readonly name: string;
  readonly taskType: TaskType;
  readonly input: Task['input'];
  readonly derived?: NonNullable<Task['derived']>;
  readonly results: readonly ExpectedResult[];
}

type Variant = readonly [
  fields: object,
  results: readonly ExpectedResult[],
  derived?: Readonly<Record<string, unknown>>,
];

const png = (width: number, height: number): ExpectedResult => ({ contentType: 'image/png', width, height });

const imageSizes: Readonly<Record<string, readonly [width: number, height: number]>> = {
  '1:1': [720, 720],
  '16:9': [1280, 720],
  '9:16': [720, 1280],
  '4:3': [960, 720],
  '3:4': [720, 960],
  '21:9': [1680, 720],
};
const ratios = Object.entries(imageSizes);

function video(operation: string, input: Readonly<Record<string, unknown>>, hasSound = true): ExpectedResult {
  return { contentType: 'video/mp4', ...promisedVideo(operation, input), hasSound };
}

const mp3 = (durationSec: number): ExpectedResult => ({ contentType: 'audio/mpeg', durationSec });

/** Every resolution and aspect ratio, half of them with sound. */
const creative = ['480p', '720p', '1080p'].flatMap((resolution, row) =>
  ['9:16', '16:9', '1:1'].map((aspectRatio, column) => {
    const audio = (row + column) % 2 === 0;
    return { resolution, aspectRatio, audio, durationSec: audio ? 10 : 4 };
  }),
);

const studio = ['480p', '720p'].flatMap((resolution) =>
  ['21:9', '16:9', '4:3', '1:1', '3:4', '9:16'].map((aspectRatio) => ({ resolution, aspectRatio, durationSec: 15 })),
);

const cortes = [
  { aspectRatio: '9:16', seconds: 5, clipCount: 3, clipSeconds: 1.6 },
  { aspectRatio: '16:9', seconds: 44, clipCount: 3, clipSeconds: 14.6 },
  { aspectRatio: '4:5', seconds: 600, clipCount: 3, clipSeconds: 30 },
  { aspectRatio: '1:1', seconds: 10_800, clipCount: 20, clipSeconds: 30 },
  { aspectRatio: '4:3', seconds: 1800, clipCount: 9, clipSeconds: 30 },
  { aspectRatio: '3:4', seconds: 1800, clipCount: 9, clipSeconds: 30 },
];

const variants: Readonly<Record<TaskType, readonly Variant[]>> = {
  image: [
    ...ratios.map(([aspectRatio, size]): Variant => [{ aspectRatio, numImages: 1 }, [png(...size)]]),
    [{ aspectRatio: '1:1', numImages: 4 }, Array.from({ length: 4 }, () => png(720, 720))],
  ],
  'image-edit': [[{}, [png(720, 720)]]],
  'character-replace': [[{}, [png(720, 720)]]],
  'background-remove': ['transparent', '#ffffff', '#12abEF'].flatMap((background): Variant[] => [
    [{ background, format: 'png' }, [png(720, 720)]],
    [{ background, format: 'webp' }, [{ ...png(720, 720), contentType: 'image/webp' }]],
  ]),
  'image-upscale': [
    [{ scale: 2 }, [png(1440, 1440)]],
    [{ scale: 4 }, [png(2880, 2880)]],
  ],
  influencer: ratios.map(([aspectRatio, size]) => [{ aspectRatio }, [png(...size)]]),
  'skin-enhance': ratios.map(([aspectRatio, size]) => [{}, [png(...size)], { aspectRatio }]),
  'video-creative': creative.map((input) => [input, [video('video-creative', input, input.audio)]]),
  'video-ugc': [[{}, [video('video-ugc', {})]]],
  'video-imitate': [
    [{ quality: '720p' }, [video('video-imitate', { quality: '720p', durationSec: 3.1 })], { durationSec: 3.1 }],
    [{ quality: '1080p' }, [video('video-imitate', { quality: '1080p', durationSec: 30 })], { durationSec: 30 }],
  ],
  'video-studio': studio.map(({ aspectRatio, ...fields }) => [
    fields,
    [video('video-studio', { ...fields, aspectRatio })],
    { aspectRatio },
  ]),
  cortes: cortes.map(({ aspectRatio, seconds, clipCount, clipSeconds }) => {
    const clip = { ...video('cortes', { aspectRatio }), durationSec: clipSeconds };
    return [{ aspectRatio }, Array.from({ length: clipCount }, () => clip), { seconds, clipCount }];
  }),
  voice: [
    [{ text: 'a' }, [mp3(1)]],
    [{ text: 'á'.repeat(150) }, [mp3(10)]],
    [{ text: '🎉'.repeat(2000) }, [mp3(134)]],
  ],
  'voice-change': [
    [{}, [mp3(0.5)], { durationSec: 0.5 }],
    [{}, [mp3(12.3)], { durationSec: 12.3 }],
    [{}, [mp3(300)], { durationSec: 300 }],
  ],
};

/** Every kind of request, by its published example with other fields. */
export const testRequests: readonly TestRequest[] = taskTypes.flatMap((taskType) => {
  const { body, example } = generationOf(taskType);
  return variants[taskType].map(([fields, results, derived]) => ({
    name: `${taskType} ${JSON.stringify({ ...fields, ...derived }).slice(0, 80)}`,
    taskType,
    input: body.parse({ ...example.body, callbackUrl: undefined, ...fields }),
    ...(derived && { derived }),
    results,
  }));
});

/** The first request of each operation. */
export const oneOfEach: readonly TestRequest[] = taskTypes.flatMap(
  (taskType) => testRequests.find((request) => request.taskType === taskType) ?? [],
);
