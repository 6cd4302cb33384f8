/** `image`: the place that the prompt names or abstract art, with the prompt as its caption. */
import * as z from 'zod';
import { captionOn } from '../image/caption.ts';
import { drawnScene } from '../image/drawn-scene.ts';
import { prepareFonts } from '../image/fonts.ts';
import { AspectRatio, frameSizes } from '../image/frame-size.ts';
import { composedWith, saveImage } from '../image/image.ts';
import { type OutputFile, operation } from '../operation.ts';

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
  const layers = await captionOn(size, prompt, { label: 'sandbox render', letters: 0.034, lines: 3 });
  const files: OutputFile[] = [];
  for (let number = 1; number <= numImages; number += 1) {
    // The stem differs for every job, so without a seed no two jobs give the same images.
    const art = await drawnScene(
      prompt,
      JSON.stringify([prompt, negativePrompt, seed ?? context.fileStem, number]),
      size,
    );
    const remark = `Procedural art by the offline engine${seed === undefined ? '' : `, seed ${seed}`}.`;
    files.push(await saveImage(await composedWith(art, layers), context, { remark, number }));
    context.progress((100 * number) / (numImages + 1));
  }
  return files;
});
