/** Rectangles of pixels. */

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The smallest box around all values of at least 128; undefined if there are none. `width` is that of the mask. */
export const boxOf = (mask: Uint8Array, width: number): Box | undefined => {
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, -1, -1];
  for (let index = 0; index < mask.length; index += 1) {
    if ((mask[index] ?? 0) < 128) continue;
    const [x, y] = [index % width, Math.floor(index / width)];
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  return right < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
};

/** The box of an object that replaces another: same height and bottom, centered, and at most twice as wide. */
export const boxInPlaceOf = (size: Pick<Box, 'width' | 'height'>, place: Box): Box => {
  const factor = Math.min(place.height / size.height, (2 * place.width) / size.width);
  const width = Math.max(1, Math.round(size.width * factor));
  const height = Math.max(1, Math.round(size.height * factor));
  const left = Math.round(place.left + (place.width - width) / 2);
  return { left, top: place.top + place.height - height, width, height };
};
