/** Paints the frames of a user-generated video: the images in the template's style, captions and the engine's mark. */
import sharp from 'sharp';
import type { Image } from '../image/image.ts';
import { labelLayer, labelSize } from '../image/text-layer.ts';
import { loudnessOver, type Sound, secondsOfSound } from '../sound/sound.ts';
import { captionCues, captions } from '../video/captions.ts';
import { framesPerSecond, type Video } from '../video/encode-video.ts';
import { filmOn } from '../video/film.ts';
import { type FrameSize, layerOf, paintLayer } from '../video/frame.ts';
import { smooth } from '../video/motion.ts';
import { paintStill, stillOf, type View } from '../video/still.ts';
import type { Moment, Template } from './template.ts';

interface UgcScene {
  readonly size: FrameSize;
  readonly seconds: number;
  readonly template: Template;
  /** The first image, and the last one if it differs. */
  readonly images: readonly Image[];
  readonly speech: Sound;
  readonly speechStartSeconds: number;
  readonly words: string;
}

/** The loudness of the speech at each frame, from 0 to 1. */
const loudnessByFrame = ({ speech, speechStartSeconds }: UgcScene): ((index: number) => number) => {
  const levels = loudnessOver(speech, 1 / framesPerSecond);
  const loudest = Math.max(1e-6, ...levels);
  const first = Math.round(speechStartSeconds * framesPerSecond);
  return (index) => (levels[index - first] ?? 0) / loudest;
};

/** How visible the last image is, from 0 to 256. */
const shareOfLast = ({ seconds, template }: UgcScene, at: number): number => {
  const { dissolveSeconds } = template;
  const begun = at - (seconds - dissolveSeconds) / 2;
  if (dissolveSeconds === 0) return begun >= 0 ? 256 : 0;
  return Math.round(256 * smooth(begun / dissolveSeconds));
};

const settlingSeconds = 0.8;

/** The camera's view, which is nearly the whole image at the beginning and at the end. */
const viewAt = ({ seconds, template }: UgcScene, moment: Moment): View => {
  const { zoom, x, y, degrees } = template.camera(moment);
  const fromEnds = Math.min(moment.seconds, seconds - moment.seconds);
  const share = 0.15 + 0.85 * smooth(fromEnds / settlingSeconds);
  const near = 1 + (zoom - 1) * share;
  // A closer camera loses more at the bottom, because heads are at the top.
  const up = 0.8 * (0.5 - 0.5 / near);
  return { zoom: near, x: x * share, y: y * share - up, degrees: degrees * share };
};

const mark = async (size: FrameSize) => {
  const label = await labelLayer('sandbox video', labelSize(size));
  const margin = labelSize(size) * 1.4;
  return layerOf(sharp(label.png), margin, size.height - margin - label.height);
};

export const ugcScene = async (scene: UgcScene): Promise<Video['paint']> => {
  const { size, seconds, template, images, speech, speechStartSeconds, words } = scene;
  const [first, last] = await Promise.all(images.map((image) => stillOf(image, size, template.look)));
  if (!first) throw new Error('A scene needs an image.');
  const overlays = await template.overlays(size, seconds);
  // A line that cannot be pronounced is shown until the end.
  const spokenSeconds = secondsOfSound(speech) || seconds - speechStartSeconds;
  const cues = captionCues(words, speechStartSeconds, spokenSeconds);
  const caption = await captions(cues, template.captions, size);
  const label = await mark(size);
  const film = filmOn(size, template.film);
  const loudness = loudnessByFrame(scene);
  const framesOfImage = framesPerSecond / (template.imagesPerSecond ?? framesPerSecond);
  return (frame, index) => {
    const shown = Math.floor(index / framesOfImage) * framesOfImage;
    const at = shown / framesPerSecond;
    const moment: Moment = { seconds: at, share: at / seconds, loudness: loudness(shown) };
    const view = viewAt(scene, moment);
    const share = last ? shareOfLast(scene, at) : 0;
    if (share < 256) paintStill(frame, first, view);
    if (last && share > 0) paintStill(frame, last, view, share);
    film(frame, shown);
    for (const overlay of overlays) overlay(frame, moment);
    caption(frame, index / framesPerSecond);
    paintLayer(frame, label);
  };
};
