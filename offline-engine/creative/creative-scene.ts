/**
 * The layers of a creative video: a camera moves over one image or from one to another, with the prompt as captions.
 */
import type { FrameSize } from '../image/frame-size.ts';
import type { Image } from '../image/image.ts';
import { seededRandom } from '../image/seeded-random.ts';
import { framesPerSecond } from '../video/encode-video.ts';
import { filmedImage, placeFor } from '../video/filmed-image.ts';
import { passed, smooth } from '../video/motion.ts';
import { type Layer, type Painter, painterOf } from '../video/scene.ts';
import { captionsOf, lettersOf, markOn, readCues } from '../video/texts.ts';
import { cameraMove } from './camera-move.ts';

interface CreativeScene {
  readonly size: FrameSize;
  readonly seconds: number;
  /** The first image, and the last one if it differs. */
  readonly images: readonly Image[];
  readonly prompt: string;
  readonly seed: string;
}

/** How long the first image takes to dissolve into the last, as a share of the duration. */
const dissolve = 0.3;

const filmed = async ({ size, seconds, images, seed }: CreativeScene): Promise<Layer> => {
  const random = seededRandom(seed);
  const [first, last] = await Promise.all(images.map((image) => filmedImage(image, size)));
  if (!first) throw new Error('A scene needs an image.');
  const [toward, from] = [cameraMove(random), cameraMove(random)];
  const end = last ? 0.5 + dissolve / 2 : 1;
  return (at) => {
    // At the last frame, the share of the video that has passed is exactly 1, so that only the last image is visible.
    const share = at / (seconds - 1 / framesPerSecond);
    const opacity = last ? smooth(passed(share, 0.5 - dissolve / 2, dissolve)) : 0;
    const [place, placeOfLast] = [toward(smooth(share / end)), from(smooth((1 - share) / end))].map((view) =>
      placeFor(view, size),
    );
    return [
      ...(opacity < 1 && place ? [{ sprite: first, place }] : []),
      ...(last && placeOfLast ? [{ sprite: last, place: { ...placeOfLast, opacity } }] : []),
    ];
  };
};

export const creativeScene = async (scene: CreativeScene): Promise<Painter> => {
  const { size, seconds, prompt } = scene;
  const unit = Math.min(size.width, size.height);
  const style = { size: 0.038 * unit, width: 0.86 * size.width, lines: 3, middle: size.height - 0.2 * unit };
  // Captions begin after the first frame and end before the last one, so that both frames show only the image.
  const cues = readCues(prompt, lettersOf(style), 0.2, seconds - 0.5);
  return painterOf(await Promise.all([filmed(scene), captionsOf(cues, style, size), markOn(size)]));
};
