/** `image`: procedural art seeded by the prompt, with the prompt as its caption. */

import type { OverlayOptions } from 'sharp';
import * as z from 'zod';
import { prepareFonts } from '../image/fonts.ts';
import { AspectRatio, type FrameSize, frameSizes } from '../image/frame-size.ts';
import { generatedArt } from '../image/generated-art.ts';
import { layOver, saveImage } from '../image/image.ts';
import { lowerShade } from '../image/lower-shade.ts';
import { at, labelLayer, labelSize, textLayer } from '../image/text-layer.ts';
import { type OutputFile, operation } from '../operation.ts';

const caption = async (prompt: string, size: FrameSize): Promise<readonly OverlayOptions[]> => {
  const unit = Math.min(size.width, size.height);
  const margin = Math.round(unit * 0.05);
  const label = await labelLayer('sandbox render', labelSize(size));
  const lettersSize = Math.round(unit * 0.034);
  const letters = await textLayer({
    text: prompt,
    size: lettersSize,
    weight: 'semibold',
    width: size.width - 2 * margin,
    lines: 3,
  });
  const labelTop = size.height - margin - label.height;
  const textTop = labelTop - (letters?.height ?? 0) - Math.round(lettersSize * 0.7);
  return [
    lowerShade(size, Math.min(size.height, size.height - textTop + Math.round(unit * 0.12))),
    ...(letters ? [at(letters, margin, textTop)] : []),
    at(label, margin, labelTop),
  ];
};

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
  const layers = await caption(prompt, size);
  const files: OutputFile[] = [];
  for (let number = 1; number <= numImages; number += 1) {
    // The stem differs for every job, so without a seed no two jobs give the same images.
    const art = await generatedArt(
      JSON.stringify([prompt, negativePrompt, seed ?? context.fileStem, number]),
      size.width,
      size.height,
    );
    const remark = `Procedural art by the offline engine${seed === undefined ? '' : `, seed ${seed}`}.`;
    files.push(await saveImage(await layOver(art, layers), context, { remark, number }));
    context.progress((100 * number) / (numImages + 1));
  }
  return files;
});
