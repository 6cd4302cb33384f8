/**
 * `character-replace`: the person of one image replaces the person in another, who is painted out; in a scene without
 * people, the character is placed in the lower middle. `prompt` is ignored.
 */

import * as z from 'zod';
import { type Box, boxInPlaceOf, boxOf } from '../image/box.ts';
import { fetchImage } from '../image/fetch-image.ts';
import { prepareFonts } from '../image/fonts.ts';
import { asLayer, composedWith, type Image, imageOf, pipelineOf, resizeImage, saveImage } from '../image/image.ts';
import { ImageUrl } from '../image/image-url.ts';
import { paintOut } from '../image/paint-out.ts';
import { personMask } from '../image/person-mask.ts';
import { cutOut, subjectMask } from '../image/subject-mask.ts';
import { at, labelLayer, labelSize } from '../image/text-layer.ts';
import { operation } from '../operation.ts';

const minPersonShare = 0.02;

interface Stage {
  /** The scene without its person. */
  readonly scene: Image;
  /** Where to place the character. */
  readonly place: Box;
}

const lowerMiddle = ({ width, height }: Image): Box => {
  const side = Math.round(height * 0.72);
  return { left: Math.round(width * 0.2), top: height - side, width: Math.round(width * 0.6), height: side };
};

const stageOf = async (scene: Image): Promise<Stage> => {
  const person = await personMask(scene);
  if (person.share < minPersonShare) return { scene, place: lowerMiddle(scene) };
  const mask = await person.refine();
  const place = boxOf(mask, scene.width);
  return place ? { scene: await paintOut(scene, mask), place } : { scene, place: lowerMiddle(scene) };
};

const cropped = (image: Image, { left, top, width, height }: Box): Promise<Image> =>
  imageOf(pipelineOf(image).extract({ left, top, width, height }), image.hasAlpha);

/** The character, closely cropped. */
const characterOf = async (image: Image): Promise<Image> => {
  const mask = await subjectMask(image);
  const box = boxOf(mask.values, image.width);
  // If no subject is found, the whole image is used as the character.
  if (!box) return image;
  return cropped(cutOut(image, mask), box);
};

/** The part of a layer inside the scene, because a layer must not extend beyond it. */
const visiblePart = (box: Box, scene: Image): Box => {
  const left = Math.max(0, -box.left);
  const top = Math.max(0, -box.top);
  const width = Math.min(box.left + box.width, scene.width) - Math.max(0, box.left);
  const height = Math.min(box.top + box.height, scene.height) - Math.max(0, box.top);
  return { left, top, width, height };
};

const brightnessIn = async (image: Image): Promise<number> => {
  const { channels } = await pipelineOf(image).flatten({ background: '#808080' }).grayscale().stats();
  return channels[0]?.mean ?? 128;
};

/** Darkens people in a night scene, but keeps them visible. */
const litLike = async (character: Image, scene: Image): Promise<Image> => {
  const ratio = (await brightnessIn(scene)) / Math.max(1, await brightnessIn(character));
  const brightness = Math.min(1.12, Math.max(0.72, ratio ** 0.4));
  return imageOf(pipelineOf(character).modulate({ brightness }), true);
};

const Input = z.object({ imageUrl: ImageUrl, characterImage: ImageUrl, prompt: z.string().max(2000).default('') });

export const characterReplace = operation(Input, async ({ imageUrl, characterImage }, context) => {
  await prepareFonts(context.filesDir);
  const { image } = await fetchImage(imageUrl, 'imageUrl');
  const { image: portrait } = await fetchImage(characterImage, 'characterImage');
  context.progress(20);
  const character = await characterOf(portrait);
  context.progress(45);
  const { scene, place } = await stageOf(image);
  context.progress(70);
  const box = boxInPlaceOf(character, place);
  const part = visiblePart(box, scene);
  const placed = await cropped(await resizeImage(await litLike(character, image), box.width, box.height), part);
  const label = await labelLayer('sandbox composite', labelSize(scene));
  const margin = labelSize(scene);
  const hasRoom = label.width + 2 * margin <= scene.width && label.height + 2 * margin <= scene.height;
  const result = await composedWith(scene, [
    asLayer(placed, Math.max(0, box.left), Math.max(0, box.top)),
    ...(hasRoom ? [at(label, margin, scene.height - margin - label.height)] : []),
  ]);
  context.progress(85);
  return [await saveImage(result, context, { remark: 'Character placed by the offline engine.' })];
});
