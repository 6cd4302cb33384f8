/** The results of each task type in test mode: of the size, the duration and the number that the request pays for. */
import { countCodePoints } from '../../contracts/code-points.ts';
import { ugcVideo } from '../../contracts/generate-videos.ts';
import { type MediaType, mediaTypes, type Ratio } from '../../contracts/media.ts';
import type { TaskType } from '../../contracts/task-types.ts';
import { type VideoFrame, videoFrame } from '../../contracts/video-frame.ts';
import type { EngineOutput } from '../engine.ts';
import type { ModelRequest } from '../model.ts';

type Facts = Readonly<Record<string, string | number | boolean>>;

function fileOf(contentType: MediaType, facts: Facts): Pick<EngineOutput, 'url' | 'contentType'> {
  const query = new URLSearchParams(
    Object.entries(facts).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return { url: `test:${mediaTypes[contentType].extension}?${query.toString()}`, contentType };
}

/** The colors of successive images of one task. */
const papers = ['#1c7ed6', '#2f9e44', '#e8590c', '#9c36b5'] as const;
const white = '#ffffff';

interface Image {
  readonly size: VideoFrame;
  readonly contentType?: 'image/png' | 'image/webp';
  readonly paper?: string;
  readonly word?: string;
}

function image({ size, contentType = 'image/png', paper = papers[0], word = white }: Image): EngineOutput {
  const { width, height } = size;
  return { ...fileOf(contentType, { width, height, paper, word }), width, height };
}

const imageOf = (aspectRatio: Ratio, paper?: string): EngineOutput =>
  image({ size: videoFrame('720p', aspectRatio), ...(paper !== undefined && { paper }) });

/** Images in a request are not downloaded in test mode; each is assumed to be a square of this size. */
const square = videoFrame('720p', '1:1');

interface Video {
  readonly size: VideoFrame;
  readonly seconds: number;
  readonly hasSound?: boolean;
}

function video({ size, seconds, hasSound = true }: Video): EngineOutput {
  const { width, height } = size;
  return {
    ...fileOf('video/mp4', { width, height, seconds, sound: hasSound }),
    width,
    height,
    durationSec: seconds,
    posterUrl: fileOf('image/jpeg', { width, height }).url,
  };
}

const sound = (seconds: number): EngineOutput => ({ ...fileOf('audio/mpeg', { seconds }), durationSec: seconds });

/** The speed of the voice, by which the duration of a text is estimated. */
const charactersPerSecond = 15;

/** The longest clip, in seconds. */
const longestClip = 30;

const tenths = (seconds: number): number => Math.floor(seconds * 10) / 10;

/** Clips of equal length, spread over the video. */
function clips({ aspectRatio, clipCount, seconds }: ModelRequest<'cortes'>): readonly EngineOutput[] {
  const share = seconds / clipCount;
  const length = tenths(Math.min(longestClip, share));
  return Array.from({ length: clipCount }, (_, index) => {
    const startTime = tenths(index * share);
    return {
      ...video({ size: videoFrame('720p', aspectRatio), seconds: length }),
      clip: {
        title: `Test clip ${index + 1}`,
        hook: 'This is a test.',
        score: tenths(1 - index / clipCount),
        startTime,
        endTime: tenths(startTime + length),
      },
    };
  });
}

const makers: { readonly [Type in TaskType]: (request: ModelRequest<Type>) => readonly EngineOutput[] } = {
  image: ({ aspectRatio, numImages }) =>
    Array.from({ length: numImages }, (_, index) => imageOf(aspectRatio, papers[index % papers.length])),
  'image-edit': () => [image({ size: square })],
  'character-replace': () => [image({ size: square })],
  'background-remove': ({ background, format }) => [
    image({
      size: square,
      contentType: `image/${format}`,
      paper: background,
      word: background === white ? papers[0] : white,
    }),
  ],
  'image-upscale': ({ scale }) => [image({ size: { width: square.width * scale, height: square.height * scale } })],
  influencer: ({ aspectRatio }) => [imageOf(aspectRatio)],
  'skin-enhance': ({ aspectRatio }) => [imageOf(aspectRatio)],
  'video-creative': ({ aspectRatio, audio, durationSec, resolution }) => [
    video({ size: videoFrame(resolution, aspectRatio), seconds: durationSec, hasSound: audio }),
  ],
  'video-ugc': () => [video({ size: ugcVideo, seconds: ugcVideo.durationSec })],
  'video-imitate': ({ durationSec, quality }) => [video({ size: videoFrame(quality, '9:16'), seconds: durationSec })],
  'video-studio': ({ aspectRatio, durationSec, resolution }) => [
    video({ size: videoFrame(resolution, aspectRatio), seconds: durationSec }),
  ],
  cortes: clips,
  voice: ({ text }) => [sound(Math.ceil(countCodePoints(text) / charactersPerSecond))],
  'voice-change': ({ durationSec }) => [sound(durationSec)],
};

/** The results for an accepted request, in which `request` includes what its inspection has added. */
export const outputsOf = (taskType: TaskType, request: Readonly<Record<string, unknown>>): readonly EngineOutput[] =>
  makers[taskType](request as never);
