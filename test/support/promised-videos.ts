/**
 * The properties that the video of each operation must have, typed from the specification and never derived from the
 * code.
 */

interface PromisedVideo {
  readonly width: number;
  readonly height: number;
  readonly durationSec: number;
}

type Input = Readonly<Record<string, unknown>>;

type Sizes = Readonly<Record<string, readonly [width: number, height: number]>>;

const sizesOf: Readonly<Record<string, Sizes>> = {
  '480p': { '9:16': [480, 854], '16:9': [854, 480], '1:1': [480, 480] },
  '720p': { '9:16': [720, 1280], '16:9': [1280, 720], '1:1': [720, 720] },
  '1080p': { '9:16': [1080, 1920], '16:9': [1920, 1080], '1:1': [1080, 1080] },
};

const studioSizes: Readonly<Record<string, Sizes>> = {
  '480p': {
    '21:9': [1120, 480],
    '16:9': [854, 480],
    '4:3': [640, 480],
    '1:1': [480, 480],
    '3:4': [480, 640],
    '9:16': [480, 854],
  },
  '720p': {
    '21:9': [1680, 720],
    '16:9': [1280, 720],
    '4:3': [960, 720],
    '1:1': [720, 720],
    '3:4': [720, 960],
    '9:16': [720, 1280],
  },
};

/** The least sizes; clips may have any duration. */
const clipSizes: Sizes = {
  '9:16': [720, 1280],
  '16:9': [1280, 720],
  '1:1': [720, 720],
  '4:5': [720, 900],
  '4:3': [960, 720],
  '3:4': [720, 960],
};

const promised: Readonly<Record<string, (input: Input) => PromisedVideo>> = {
  'video-creative': ({ durationSec, resolution, aspectRatio }) => {
    const [width = 0, height = 0] = sizesOf[String(resolution)]?.[String(aspectRatio)] ?? [];
    return { width, height, durationSec: Number(durationSec) };
  },
  'video-studio': ({ durationSec, resolution, aspectRatio }) => {
    const [width = 0, height = 0] = studioSizes[String(resolution)]?.[String(aspectRatio)] ?? [];
    return { width, height, durationSec: Number(durationSec) };
  },
  'video-ugc': () => ({ width: 720, height: 1280, durationSec: 8 }),
  'video-imitate': ({ quality, durationSec }) => {
    const [width = 0, height = 0] = sizesOf[String(quality)]?.['9:16'] ?? [];
    return { width, height, durationSec: Number(durationSec) };
  },
  cortes: ({ aspectRatio }) => {
    const [width = 0, height = 0] = clipSizes[String(aspectRatio)] ?? [];
    return { width, height, durationSec: 20 };
  },
};

/** For each path name of an operation, the promised properties of its video and the input that the engine receives. */
export function promisedVideo(operation: string, input: Input): PromisedVideo {
  const video = promised[operation]?.(input);
  if (!video) throw new Error(`say in test/support/promised-videos.ts which video ${operation} results in`);
  return video;
}
