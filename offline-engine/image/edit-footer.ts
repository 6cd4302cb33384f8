/** A row with a label of the edits and thumbnails of the reference images, at the lower edge of the edited area. */
import type { OverlayOptions } from 'sharp';
import { type Image, pipelineOf } from './image.ts';
import { at, labelLayer, labelSize, type TextLayer } from './text-layer.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The height of a row, and the lowest position with room for an item; undefined if there is none. */
export interface Room {
  readonly size: Size;
  readonly placeFor: (size: Size) => { readonly left: number; readonly top: number } | undefined;
}

const marginIn = (size: Size) => Math.round(labelSize(size) * 0.9);

export const wholeOf = (size: Size): Room => ({
  size,
  placeFor({ width, height }) {
    const margin = marginIn(size);
    if (width + 2 * margin > size.width || height + 2 * margin > size.height) return undefined;
    return { left: margin, top: size.height - margin - height };
  },
});

/** For every corner, the number of pixels outside the mask above and to the left. */
const outsideCounts = ({ width, height }: Size, mask: Uint8Array): Int32Array => {
  const counts = new Int32Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let inRow = 0;
    for (let x = 0; x < width; x += 1) {
      if ((mask[y * width + x] ?? 0) < 250) inRow += 1;
      counts[(y + 1) * (width + 1) + x + 1] = (counts[y * (width + 1) + x + 1] ?? 0) + inRow;
    }
  }
  return counts;
};

/** Searches for room inside the mask; of equally low positions, the middle one is returned. */
export const insideOf = (image: Size, mask: Uint8Array): Room => {
  const counts = outsideCounts(image, mask);
  const countAt = (x: number, y: number) => counts[y * (image.width + 1) + x] ?? 0;
  const side = Math.sqrt(mask.reduce((sum, value) => sum + value, 0) / 255);
  const size = { width: Math.min(image.width, side), height: Math.min(image.height, side) };
  const margin = marginIn(size);
  return {
    size,
    placeFor({ width, height }) {
      const [columns, rows] = [width + 2 * margin, height + 2 * margin];
      for (let top = image.height - rows; top >= 0; top -= 1) {
        const places: number[] = [];
        for (let left = 0; left + columns <= image.width; left += 1) {
          const [right, bottom] = [left + columns, top + rows];
          const outside = countAt(right, bottom) - countAt(left, bottom) - countAt(right, top) + countAt(left, top);
          if (outside === 0) places.push(left);
        }
        const left = places[Math.floor(places.length / 2)];
        if (left !== undefined) return { left: left + margin, top: top + margin };
      }
      return undefined;
    },
  };
};

const thumbnail = async (image: Image, side: number): Promise<Buffer> => {
  const frame = Math.max(1, Math.round(side / 24));
  const inner = side - 2 * frame;
  return pipelineOf(image)
    .resize(inner, inner, { fit: 'cover' })
    .flatten({ background: '#ffffff' })
    .extend({ top: frame, bottom: frame, left: frame, right: frame, background: '#ffffff' })
    .png()
    .toBuffer();
};

const leastThumbnailSide = 16;

/** The row; undefined if there is no room for the label. Thumbnails without room are left out, the last ones first. */
const rowWith = async (
  label: TextLayer,
  room: Room,
  references: readonly Image[],
): Promise<readonly OverlayOptions[] | undefined> => {
  const gap = Math.round(label.height / 2);
  const side = Math.round(Math.min(room.size.width, room.size.height) / 7);
  for (let shown = side < leastThumbnailSide ? 0 : references.length; shown >= 0; shown -= 1) {
    const height = shown > 0 ? Math.max(side, label.height) : label.height;
    const place = room.placeFor({ width: label.width + shown * (side + gap), height });
    if (!place) continue;
    const thumbnails = references.slice(0, shown).map(async (image, index) => ({
      input: await thumbnail(image, side),
      left: place.left + label.width + gap + index * (side + gap),
      top: place.top + height - side,
    }));
    return [at(label, place.left, place.top + height - label.height), ...(await Promise.all(thumbnails))];
  }
  return undefined;
};

/** The footer, whose label describes the edits if there is room. */
export const footer = async (
  room: Room,
  done: string,
  references: readonly Image[],
): Promise<readonly OverlayOptions[]> => {
  for (const text of [`sandbox edit: ${done}`, 'sandbox edit']) {
    const row = await rowWith(await labelLayer(text, labelSize(room.size)), room, references);
    if (row) return row;
  }
  return [];
};
