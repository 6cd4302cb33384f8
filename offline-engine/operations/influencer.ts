/**
 * `influencer`: a drawn persona in front of a soft backdrop, with the name. The same name and description give the same
 * persona; gender, age and some words of the description guide its appearance; the first reference image sets the color
 * of the backdrop.
 */

import sharp from 'sharp';
import * as z from 'zod';
import { captionOn } from '../image/caption.ts';
import { fetchImage } from '../image/fetch-image.ts';
import { prepareFonts } from '../image/fonts.ts';
import { AspectRatio, type FrameSize, frameSizes } from '../image/frame-size.ts';
import { type Image, imageOf, pipelineOf, saveImage } from '../image/image.ts';
import { ReferenceImages } from '../image/image-url.ts';
import { personaPortrait } from '../image/persona-portrait.ts';
import { seededRandom } from '../image/seeded-random.ts';
import { operation } from '../operation.ts';

/** The hue of the backdrop, from 0 to 1. */
const hueOf = (red: number, green: number, blue: number): number => {
  const angle = Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue);
  return (angle / (2 * Math.PI) + 1) % 1;
};

const hueOfImage = async (image: Image): Promise<number> => {
  const { dominant } = await pipelineOf(image).removeAlpha().stats();
  return hueOf(dominant.r, dominant.g, dominant.b);
};

/** A background of one hue with two soft lights, and a disc behind the head, whose center is at `headHeight`. */
const backdrop = (
  { width, height }: FrameSize,
  headHeight: number,
  seed: string,
  givenHue: number | undefined,
): string => {
  const random = seededRandom(seed);
  const hue = givenHue ?? random.next();
  const hsl = (turn: number, saturation: number, lightness: number) =>
    `hsl(${360 * ((hue + turn + 1) % 1)},${100 * saturation}%,${100 * lightness}%)`;
  const unit = Math.min(width, height);
  const light = (id: string, x: number, y: number, radius: number, opacity: number) =>
    `<circle cx="${x * width}" cy="${y * height}" r="${radius * unit}" fill="url(#${id})" opacity="${opacity}"/>`;
  const glow = (id: string, color: string) =>
    `<radialGradient id="${id}"><stop offset="0" stop-color="${color}"/><stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>
<linearGradient id="ground" x1="0" y1="0" x2="0.4" y2="1"><stop offset="0" stop-color="${hsl(0, 0.55, 0.84)}"/><stop offset="1" stop-color="${hsl(0.08, 0.5, 0.62)}"/></linearGradient>
${glow('warm', hsl(0.12, 0.8, 0.82))}${glow('cool', hsl(-0.12, 0.7, 0.7))}</defs>
<rect width="${width}" height="${height}" fill="url(#ground)"/>
${light('warm', random.between(0.1, 0.35), random.between(0.1, 0.3), 0.8, 0.9)}
${light('cool', random.between(0.7, 0.95), random.between(0.35, 0.7), 0.7, 0.8)}
<circle cx="${width / 2}" cy="${headHeight}" r="${unit * 0.42}" fill="#fff" opacity="0.28"/></svg>`;
};

/** Crops at the frame, because a layer must not be wider than the image below. */
const withinWidth = (svg: string, side: number, max: number): Promise<Buffer> => {
  const width = Math.min(side, max);
  const left = Math.round((side - width) / 2);
  return sharp(Buffer.from(svg)).extract({ left, top: 0, width, height: side }).png().toBuffer();
};

const Input = z.object({
  name: z.string().min(1).max(120),
  description: z.string().min(1).max(2000),
  gender: z.enum(['feminino', 'masculino', 'auto']).default('auto'),
  ageRange: z.enum(['18-25', '26-35', '36-50', '51+']).exactOptional(),
  referenceImages: ReferenceImages,
  aspectRatio: AspectRatio.default('3:4'),
});

export const influencer = operation(Input, async ({ aspectRatio, referenceImages, ...person }, context) => {
  await prepareFonts(context.filesDir);
  const references: Image[] = [];
  for (const [index, url] of referenceImages.entries()) {
    references.push((await fetchImage(url, `referenceImages[${index}]`)).image);
  }
  context.progress(30);
  const size = frameSizes[aspectRatio];
  const [first] = references;
  const hue = first && (await hueOfImage(first));
  const seed = JSON.stringify([person.name, person.description]);
  const side = Math.round(Math.min(size.width * 1.14, size.height * 0.92));
  const portrait = await withinWidth(personaPortrait(person, side), side, size.width);
  const drawn = sharp(Buffer.from(backdrop(size, size.height - 0.56 * side, seed, hue))).composite([
    { input: portrait, left: Math.max(0, Math.round((size.width - side) / 2)), top: size.height - side },
    ...(await captionOn(size, person.name, { label: 'sandbox influencer', letters: 0.055, lines: 1 })),
  ]);
  const image = await imageOf(drawn, false);
  context.progress(80);
  return [await saveImage(image, context, { remark: 'Persona drawn by the offline engine.' })];
});
