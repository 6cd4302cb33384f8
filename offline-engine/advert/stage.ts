/** The elements of an advertisement: its backdrop, product, avatar and timing. */
import sharp from 'sharp';
import { boxOf } from '../image/box.ts';
import { type Image, imageOf, pipelineOf, shrinkImage } from '../image/image.ts';
import { cutOut, type SubjectMask, subjectMask } from '../image/subject-mask.ts';
import type { FrameSize } from '../video/frame.ts';
import { backdropOf } from './backdrop.ts';
import { type Sprite, spriteOf } from './sprite.ts';

export interface Stage {
  readonly size: FrameSize;
  readonly seconds: number;
  /** The shorter side of the frame. */
  readonly unit: number;
  readonly isWide: boolean;
  /** When the hook's title disappears, and when the call to action appears. */
  readonly hookUntil: number;
  readonly endFrom: number;
  /** A backdrop larger than the frame. */
  readonly backdrop: Sprite;
  /** The product, cut out and in its maximum size. */
  readonly product: Sprite;
  /** Square cards with rounded corners: the product's images, or parts of the first one. */
  readonly cards: readonly [Sprite, Sprite, Sprite];
  readonly avatar: Avatar | undefined;
}

export interface Avatar {
  readonly name: string;
  /** The avatar, cut out down to the image's lower edge; otherwise a tall card. */
  readonly figure: Sprite;
  /** The upper part of the avatar in a circle. */
  readonly portrait: Sprite;
}

export interface StageOptions {
  readonly size: FrameSize;
  readonly seconds: number;
  readonly hasHook: boolean;
  /** A setting's id, or any other text for a plain backdrop. */
  readonly place: string;
  readonly products: readonly [Image, ...Image[]];
  readonly avatar: { readonly name: string; readonly image: Image } | undefined;
}

/** The largest image in which masks are searched. */
const workingSide = 1200;

const roundMask = (side: number, radius: number): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><rect width="${side}" height="${side}" rx="${radius}" fill="#fff"/></svg>`,
  );

const whiteFrame = (side: number, radius: number, edge: number, colour: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><rect x="${edge / 2}" y="${edge / 2}" width="${side - edge}" height="${side - edge}" rx="${radius - edge / 2}" fill="none" stroke="${colour}" stroke-width="${edge}"/></svg>`,
  );

/** A square part of an image with rounded corners and a white edge. */
const cardOf = async (image: Image, side: number, radius: number, position: string): Promise<Sprite> => {
  const edge = Math.max(2, side * 0.025);
  const square = await pipelineOf(image)
    .flatten({ background: '#ffffff' })
    .resize(side, side, { fit: 'cover', position })
    .png()
    .toBuffer();
  const rounded = await sharp(square)
    .ensureAlpha()
    .composite([
      { input: roundMask(side, radius), blend: 'dest-in' },
      { input: whiteFrame(side, radius, edge, '#ffffff') },
    ])
    .png()
    .toBuffer();
  return spriteOf(sharp(rounded));
};

/** Fades out at the image's sides, where a truncated subject would end in a hard vertical line. */
const withSoftSides = (mask: SubjectMask, width: number): SubjectMask => {
  const reach = Math.max(1, Math.round(0.05 * width));
  const values = mask.values.map((value, index) => {
    const x = index % width;
    return (value * Math.min(reach, x, width - 1 - x)) / reach;
  });
  return { ...mask, values };
};

/** The subject alone, cropped to its box; undefined if nothing stands out. */
async function subjectOf(given: Image): Promise<Image | undefined> {
  const image = await shrinkImage(given, workingSide);
  const mask = await subjectMask(image);
  const box = boxOf(mask.values, image.width);
  if (!box || box.width * box.height < 0.01 * image.width * image.height) return undefined;
  return imageOf(pipelineOf(cutOut(image, withSoftSides(mask, image.width))).extract(box), true);
}

const fitted = async (image: Image, width: number, height: number): Promise<Sprite> =>
  spriteOf(pipelineOf(image).resize(Math.round(width), Math.round(height), { fit: 'inside', kernel: 'lanczos3' }));

async function avatarOf(
  { name, image }: NonNullable<StageOptions['avatar']>,
  { width, height }: FrameSize,
  unit: number,
): Promise<Avatar> {
  const person = await subjectOf(image);
  const side = Math.round(0.5 * unit);
  const isTall = person !== undefined && person.height > 0.9 * person.width;
  const card = await shrinkImage(image, workingSide);
  return {
    name,
    figure: isTall ? await fitted(person, 0.95 * width, 0.8 * height) : await fitted(card, 0.7 * width, 0.62 * height),
    portrait: await cardOf(image, side, side / 2, 'top'),
  };
}

/** Parts of an image, as shares of it, that replace missing images. */
const details = [
  { left: 0, top: 0, share: 1 },
  { left: 0.2, top: 0.12, share: 0.56 },
  { left: 0.28, top: 0.4, share: 0.48 },
] as const;

const partOf = (image: Image, { left, top, share }: (typeof details)[number]): Promise<Image> => {
  const pixels = (side: number) => Math.max(1, Math.floor(side));
  const box = {
    left: Math.floor(left * image.width),
    top: Math.floor(top * image.height),
    width: pixels(share * image.width),
    height: pixels(share * image.height),
  };
  return imageOf(pipelineOf(image).extract(box), image.hasAlpha);
};

/** The largest share of the frame that a product fills. */
const productShare = { width: 0.78, height: 0.52 };

export async function stageOf(options: StageOptions): Promise<Stage> {
  const { size, seconds, hasHook, place, products, avatar } = options;
  const unit = Math.min(size.width, size.height);
  const [first] = products;
  const alone = (await subjectOf(first)) ?? first;
  const cardAt = async (index: number) => {
    const image = products[index] ?? (await partOf(first, details[index] ?? details[0]));
    return cardOf(image, Math.round(0.62 * unit), 0.05 * unit, 'attention');
  };
  return {
    size,
    seconds,
    unit,
    isWide: size.width >= size.height,
    hookUntil: hasHook ? Math.min(2.6, 0.3 * seconds) : 0,
    endFrom: seconds - Math.min(3.2, 0.3 * seconds),
    backdrop: await backdropOf(place, size),
    product: await fitted(alone, productShare.width * unit, productShare.height * size.height),
    cards: [await cardAt(0), await cardAt(1), await cardAt(2)],
    avatar: avatar && (await avatarOf(avatar, size, unit)),
  };
}
