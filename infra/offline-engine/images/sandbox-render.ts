/** `image`: procedural art that the prompt decides but does not describe, with the prompt as its caption. */
import type { OverlayOptions } from 'sharp';
import type { MadeFile } from '../ability.ts';
import { prepareFonts } from './fonts.ts';
import { type FrameSize, frameSizes } from './frame-size.ts';
import { generatedArt } from './generated-art.ts';
import type { ImageContext } from './image-order.ts';
import type { ImageRequest } from './image-requests.ts';
import { layOver, savePicture } from './picture.ts';
import { at, labelLayer, labelSize, textLayer } from './text-layer.ts';

/** Darkness that rises from the lower edge, for letters to be read on. */
export const lowerShade = ({ width, height }: FrameSize, shadeHeight: number): OverlayOptions => ({
  input: Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${shadeHeight}"><defs><linearGradient id="shade" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#05060a" stop-opacity="0"/><stop offset="0.55" stop-color="#05060a" stop-opacity="0.5"/><stop offset="1" stop-color="#05060a" stop-opacity="0.82"/></linearGradient></defs><rect width="${width}" height="${shadeHeight}" fill="url(#shade)"/></svg>`,
  ),
  left: 0,
  top: height - shadeHeight,
});

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

export const renderSandbox = async (
  { prompt, negativePrompt, aspectRatio, numImages, seed }: ImageRequest<'image'>,
  context: ImageContext,
): Promise<readonly MadeFile[]> => {
  await prepareFonts(context.filesDir);
  const size = frameSizes[aspectRatio];
  const layers = await caption(prompt, size);
  const files: MadeFile[] = [];
  for (let number = 1; number <= numImages; number += 1) {
    // The stem is different for every job: without a seed no two jobs make the same.
    const art = await generatedArt(
      JSON.stringify([prompt, negativePrompt, seed ?? context.fileStem, number]),
      size.width,
      size.height,
    );
    const remark = `Procedural art by the offline engine${seed === undefined ? '' : `, seed ${seed}`}.`;
    files.push(await savePicture(await layOver(art, layers), context, { remark, number }));
    context.progress((100 * number) / (numImages + 1));
  }
  return files;
};
