/** The images of an advertisement: its backdrop, its product and its avatar. */
import { boxOf } from '../image/box.ts';
import type { FrameSize } from '../image/frame-size.ts';
import { type Image, imageOf, pipelineOf, shrinkImage } from '../image/image.ts';
import { cutOut, subjectMask } from '../image/subject-mask.ts';
import { drawPlace } from '../scene/draw-scene.ts';
import { type Sprite, spriteOf, spriteOfImage } from '../video/sprite.ts';
import { type Acting, type Talk, talkingFaces } from '../video/talking-faces.ts';
import type { Prop } from './modes.ts';

/**
 * The backdrop and the other images, by the names that modes use for them; without an avatar, its images are missing.
 */
export type Stage = Partial<Readonly<Record<Prop['what'] | 'backdrop', Sprite>>> & {
  /** How the avatar talks in its images. */
  readonly acts?: Partial<Readonly<Record<Prop['what'], Acting>>>;
};

interface StageOptions {
  readonly size: FrameSize;
  /** The setting, given by its id or as any other text. */
  readonly place: string;
  readonly products: readonly [Image, ...Image[]];
  readonly avatar: Image | undefined;
  /** What the avatar says. */
  readonly talk: Talk;
}

/** The largest image in which a subject is searched for; larger ones are scaled down first. */
const workingSide = 1200;

/** A square part of an image with rounded corners. */
const cardOf = async (image: Image, side: number, radius: number, position: string): Promise<Image> => {
  const corners = `<svg width="${side}" height="${side}"><rect width="${side}" height="${side}" rx="${radius}"/></svg>`;
  const square = pipelineOf(image).flatten({ background: '#ffffff' }).resize(side, side, { fit: 'cover', position });
  const card = await imageOf(square, false);
  return imageOf(pipelineOf(card).composite([{ input: Buffer.from(corners), blend: 'dest-in' }]), true);
};

/** The subject cut out of its image, cropped closely; undefined if nothing stands out from the background. */
async function subjectOf(given: Image): Promise<Image | undefined> {
  const image = await shrinkImage(given, workingSide);
  const mask = await subjectMask(image);
  const box = boxOf(mask.values, image.width);
  if (!box || box.width * box.height < 0.01 * image.width * image.height) return undefined;
  return imageOf(pipelineOf(cutOut(image, mask)).extract(box), true);
}

const fitted = (image: Image, side: number): Promise<Image> =>
  imageOf(pipelineOf(image).resize(Math.round(side), Math.round(side), { fit: 'inside' }), true);

/** Parts of an image, as shares of it, that replace missing images. */
const details = [
  { left: 0, top: 0, share: 1 },
  { left: 0.2, top: 0.12, share: 0.56 },
  { left: 0.28, top: 0.4, share: 0.48 },
] as const;

const partOf = (image: Image, { left, top, share }: (typeof details)[number]): Promise<Image> => {
  const pixels = (side: number) => Math.max(1, Math.floor(share * side));
  const corner = { left: Math.floor(left * image.width), top: Math.floor(top * image.height) };
  const box = { ...corner, width: pixels(image.width), height: pixels(image.height) };
  return imageOf(pipelineOf(image).extract(box), image.hasAlpha);
};

/** The backdrop is larger than the frame, so that the camera can move, and slightly out of focus. */
const backdropOf = async (place: string, { width, height }: FrameSize): Promise<Sprite> => {
  const size = { width: Math.round(width * 1.14), height: Math.round(height * 1.14) };
  const blur = Math.max(0.6, Math.min(width, height) * 0.0035);
  return spriteOf(pipelineOf(await drawPlace(place, size)).blur(blur));
};

/** The images of the avatar, in which it talks. */
async function avatarOf(avatar: Image, unit: number, talk: Talk): Promise<Stage> {
  const figure = await fitted((await subjectOf(avatar)) ?? (await shrinkImage(avatar, workingSide)), 1.2 * unit);
  const portrait = await cardOf(avatar, Math.round(0.5 * unit), 0.25 * unit, 'top');
  return {
    figure: spriteOfImage(figure),
    portrait: spriteOfImage(portrait),
    acts: { figure: await talkingFaces(figure, talk), portrait: await talkingFaces(portrait, talk) },
  };
}

export async function stageOf({ size, place, products, avatar, talk }: StageOptions): Promise<Stage> {
  const unit = Math.min(size.width, size.height);
  const [first] = products;
  const cardAt = async (index: 0 | 1 | 2) => {
    const image = products[index] ?? (await partOf(first, details[index]));
    return spriteOfImage(await cardOf(image, Math.round(0.62 * unit), 0.05 * unit, 'attention'));
  };
  return {
    backdrop: await backdropOf(place, size),
    product: spriteOfImage(await fitted((await subjectOf(first)) ?? first, unit)),
    'first card': await cardAt(0),
    'second card': await cardAt(1),
    'third card': await cardAt(2),
    ...(avatar && (await avatarOf(avatar, unit, talk))),
  };
}
