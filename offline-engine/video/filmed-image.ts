/** An image filmed by a moving camera. */
import sharp, { type Sharp } from 'sharp';
import type { FrameSize } from '../image/frame-size.ts';
import { type Image, imageOf, pipelineOf } from '../image/image.ts';
import { type Place, type Sprite, spriteOfImage } from './sprite.ts';

/** The camera's view: at 1 and without offsets, the whole image. */
export interface View {
  readonly zoom: number;
  /** The offset of the center, relative to the width and height of the image. */
  readonly x: number;
  readonly y: number;
  readonly degrees: number;
}

/** The sprite is larger than the frame, so that it stays sharp when the camera is close. */
const oversize = 1.2;

/** Crops before enlarging, because enlarging a very wide or high image would take minutes. */
const cropped = (image: Image, { width, height }: FrameSize): Promise<Image> => {
  const factor = Math.max(1, width / image.width, height / image.height);
  const side = (length: number) => Math.max(1, Math.round(length / factor));
  const crop = { width: side(width), height: side(height), fit: 'cover', position: sharp.strategy.attention } as const;
  return imageOf(pipelineOf(image).flatten({ background: '#ffffff' }).resize(crop), false);
};

/**
 * The image as a camera films it: cropped to the shape of the frame around what attracts attention. `look` changes
 * colors and sharpness.
 */
export const filmedPicture = async (
  image: Image,
  { width, height }: FrameSize,
  look: (pipeline: Sharp) => Sharp = (pipeline) => pipeline,
): Promise<Image> => {
  const size = { width: Math.round(width * oversize), height: Math.round(height * oversize) };
  const enlarged = pipelineOf(await cropped(image, size)).resize({ ...size, fit: 'fill' });
  return imageOf(look(enlarged), false);
};

export const filmedImage = async (image: Image, size: FrameSize): Promise<Sprite> =>
  spriteOfImage(await filmedPicture(image, size));

/**
 * Where the sprite is placed for a view. If the view would show something beyond the image's edges, the nearest one
 * that does not is used. `zoom` is that of the image.
 */
export const placeFor = (view: View, { width, height }: FrameSize): Place & { readonly zoom: number } => {
  const angle = (view.degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const min = cos + (Math.abs(sin) * Math.max(width, height)) / Math.min(width, height);
  // The view is slightly closer than requested, because the edge of a sprite is transparent.
  const zoom = Math.max(view.zoom, min) + 4 / Math.min(width, height);
  const offset = (wanted: number, along: number, across: number) => {
    const room = Math.max(0, (zoom * along - along * cos - across * Math.abs(sin)) / 2 - 2);
    return Math.min(room, Math.max(-room, wanted * zoom * along));
  };
  const [x, y] = [offset(view.x, width, height), offset(view.y, height, width)];
  return {
    x: width / 2 - x * cos - y * sin,
    y: height / 2 + x * sin - y * cos,
    zoom,
    scale: zoom / oversize,
    radians: -angle,
  };
};
