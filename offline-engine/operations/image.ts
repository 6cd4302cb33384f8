/**
 * `image`: the scene that the prompt describes, composed of drawings of thousands of kinds of objects, or else abstract
 * art.
 */
import * as z from 'zod';
import { prepareFonts } from '../image/fonts.ts';
import { AspectRatio, frameSizes } from '../image/frame-size.ts';
import { composedWith, saveImage } from '../image/image.ts';
import { at, labelLayer, labelSize } from '../image/text-layer.ts';
import { type OutputFile, operation } from '../operation.ts';
import { drawScene } from '../scene/draw-scene.ts';

const Input = z.object({
  prompt: z.string().min(1).max(4000),
  negativePrompt: z.string().max(2000).default(''),
  aspectRatio: AspectRatio.default('1:1'),
  numImages: z.number().int().min(1).max(4).default(1),
  seed: z.number().int().min(0).exactOptional(),
});

export const image = operation(Input, async ({ prompt, negativePrompt, aspectRatio, numImages, seed }, context) => {
  await prepareFonts(context.filesDir);
  const size = frameSizes[aspectRatio];
  const label = await labelLayer('sandbox render', labelSize(size));
  const margin = Math.round(0.02 * Math.min(size.width, size.height));
  const corner = at(label, size.width - label.width - margin, size.height - label.height - margin);
  const files: OutputFile[] = [];
  for (let number = 1; number <= numImages; number += 1) {
    // The stem differs for every job, so without a seed no two jobs give the same images.
    const drawn = JSON.stringify([prompt, seed ?? context.fileStem, number]);
    const art = await drawScene({ prompt, negativePrompt, seed: drawn, size });
    const remark = `Scene drawn by the offline engine${seed === undefined ? '' : `, seed ${seed}`}.`;
    files.push(await saveImage(await composedWith(art, [corner]), context, { remark, number }));
    context.progress((100 * number) / (numImages + 1));
  }
  return files;
});
