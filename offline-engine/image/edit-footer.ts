/** A row with a label of the edits and thumbnails of the reference images, at the lower edge of the edited area. */
import type { OverlayOptions } from 'sharp';
import type { Box } from './box.ts';
import { type Image, pipelineOf } from './image.ts';
import { at, labelLayer, labelSize } from './text-layer.ts';

const thumbnail = (image: Image, side: number): Promise<Buffer> => {
  const frame = Math.max(1, Math.round(side / 24));
  const inner = side - 2 * frame;
  return pipelineOf(image)
    .resize(inner, inner, { fit: 'cover' })
    .flatten({ background: '#ffffff' })
    .extend({ top: frame, bottom: frame, left: frame, right: frame, background: '#ffffff' })
    .png()
    .toBuffer();
};

const minThumbnailSide = 16;

/** The row; a label without room is shortened or left out, and so are thumbnails. */
export const footer = async (
  { left, top, width, height }: Box,
  done: string,
  references: readonly Image[],
): Promise<readonly OverlayOptions[]> => {
  const size = labelSize({ width, height });
  const margin = Math.round(size * 0.9);
  for (const text of [`sandbox edit: ${done}`, 'sandbox edit']) {
    const label = await labelLayer(text, size);
    if (label.width + 2 * margin > width || label.height + 2 * margin > height) continue;
    const bottom = top + height - margin;
    const [gap, side] = [Math.round(label.height / 2), Math.round(Math.min(width, height) / 7)];
    const room = Math.floor((width - 2 * margin - label.width) / (side + gap));
    const shown = references.slice(0, side < minThumbnailSide ? 0 : room).map(async (image, index) => ({
      input: await thumbnail(image, side),
      left: left + margin + label.width + gap + index * (side + gap),
      top: bottom - side,
    }));
    return [at(label, left + margin, bottom - label.height), ...(await Promise.all(shown))];
  }
  return [];
};
