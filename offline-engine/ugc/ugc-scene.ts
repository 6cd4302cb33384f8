/**
 * The layers of a user-generated video: the images in the template's style, whose people talk, captions and the engine's
 * mark.
 */
import type { FrameSize } from '../image/frame-size.ts';
import type { Image } from '../image/image.ts';
import type { Sound } from '../sound/sound.ts';
import { filmedPicture, placeFor, type View } from '../video/filmed-image.ts';
import { passed, smooth } from '../video/motion.ts';
import { type Layer, type Painter, painterOf, still } from '../video/scene.ts';
import { drawnSprite, type Place, spriteOfImage } from '../video/sprite.ts';
import { talkingFaces } from '../video/talking-faces.ts';
import { captionsOf, markOn, spokenCues } from '../video/texts.ts';
import type { Template } from './templates.ts';

interface UgcScene {
  readonly size: FrameSize;
  readonly seconds: number;
  readonly template: Template;
  /** The first image, and the last one if it differs. */
  readonly images: readonly Image[];
  readonly words: string;
  readonly speech: { readonly startSeconds: number; readonly seconds: number; readonly sound: Sound };
}

const settlingSeconds = 0.8;

/** The camera's view, which is nearly the whole image at the beginning and at the end. */
const viewAt = ({ seconds, template }: UgcScene, at: number): View => {
  const { zoom = 1, x = 0, y = 0, degrees = 0 } = template.camera({ seconds: at, share: at / seconds });
  const share = 0.15 + 0.85 * smooth(Math.min(at, seconds - at) / settlingSeconds);
  const near = 1 + (zoom - 1) * share;
  // The closer the camera is, the further up it points, because heads are at the top of the image.
  const up = 0.8 * (0.5 - 0.5 / near);
  return { zoom: near, x: x * share, y: y * share - up, degrees: degrees * share };
};

const filmed = async (scene: UgcScene): Promise<Layer> => {
  const { size, seconds, images, template, words, speech } = scene;
  const talk = { seconds, seed: words, speech: speech.sound, startSeconds: speech.startSeconds };
  const [first, last] = await Promise.all(
    images.map(async (image) => {
      const picture = await filmedPicture(image, size, template.look);
      return { sprite: spriteOfImage(picture), act: await talkingFaces(picture, talk) };
    }),
  );
  if (!first) throw new Error('A scene needs an image.');
  const { dissolveSeconds, imagesPerSecond = 1e9 } = template;
  return (exactly) => {
    const at = Math.floor(exactly * imagesPerSecond + 1e-6) / imagesPerSecond;
    const place = placeFor(viewAt(scene, at), size);
    const opacity = last ? smooth(passed(at, (seconds - dissolveSeconds) / 2, dissolveSeconds)) : 0;
    const shown = ({ sprite, act }: typeof first, seen: Place) => [{ sprite, place: seen }, ...act(seen, at)];
    return [
      ...(opacity < 1 ? shown(first, place) : []),
      ...(last && opacity > 0 ? shown(last, { ...place, opacity }) : []),
    ];
  };
};

const inFront = async ({ width, height }: FrameSize, { vignette, overlay = '' }: Template): Promise<Layer> => {
  const corners = `<radialGradient id="corners" r="0.75"><stop offset="0.4" stop-opacity="0"/><stop offset="1" stop-opacity="${vignette}"/></radialGradient><rect width="90" height="160" fill="url(#corners)"/>`;
  const content = `<svg viewBox="0 0 90 160" preserveAspectRatio="none" width="${width}" height="${height}">${corners}${overlay}</svg>`;
  return still(await drawnSprite(width, height, content), { x: width / 2, y: height / 2, isSoft: true });
};

export const ugcScene = async (scene: UgcScene): Promise<Painter> => {
  const { size, seconds, template, words, speech } = scene;
  const { captions } = template;
  // The caption of a line that cannot be pronounced is shown until the end.
  const cues = spokenCues(words, speech.startSeconds, speech.seconds || seconds - speech.startSeconds);
  const style = { ...captions, size: captions.size * size.width, middle: captions.middle * size.height, lines: 2 };
  return painterOf(
    await Promise.all([
      filmed(scene),
      inFront(size, template),
      captionsOf(cues, { ...style, width: 0.9 * size.width }, size),
      markOn(size),
    ]),
  );
};
