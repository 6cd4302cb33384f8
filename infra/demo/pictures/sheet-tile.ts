/** A picture on the contact sheet: whole or a part of it, with round corners, on a checkerboard where it is transparent. */
import sharp from 'sharp';

/** A part of a picture, in shares of its width and height. */
export interface Region {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Tile {
  /** The name below it. */
  readonly caption: string;
  /** A picture as a file. */
  readonly file: Buffer;
  /** Whether an arrow leads to it from the tile before. */
  readonly isResult?: boolean;
  /** Shown alone, enlarged. */
  readonly crop?: Region;
  /** Outlined. */
  readonly frame?: Region;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const cornerRadius = 8;
const squareSide = 12;

const pixelsOfRegion = ({ left, top, width, height }: Region, size: Size) => ({
  left: Math.round(left * size.width),
  top: Math.round(top * size.height),
  width: Math.round(width * size.width),
  height: Math.round(height * size.height),
});

/** Width by height of what is shown. */
export async function aspectOf({ file, crop }: Tile): Promise<number> {
  const { width, height } = await sharp(file).metadata();
  const shown = crop ? pixelsOfRegion(crop, { width, height }) : { width, height };
  return shown.width / shown.height;
}

const svg = ({ width, height }: Size, content: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`);

const checkerboard = (size: Size): Buffer => {
  const [side, double] = [squareSide, 2 * squareSide];
  const squares = `<path d="M0 0h${side}v${side}H0zM${side} ${side}h${side}v${side}H${side}z" fill="#cfcfd6"/>`;
  const pattern = `<pattern id="p" width="${double}" height="${double}" patternUnits="userSpaceOnUse">${squares}</pattern>`;
  return svg(
    size,
    `<defs>${pattern}</defs><rect width="100%" height="100%" fill="#fff"/><rect width="100%" height="100%" fill="url(#p)"/>`,
  );
};

const outline = (size: Size, frame: Region): Buffer => {
  const { left, top, width, height } = pixelsOfRegion(frame, size);
  const rectangle = (colour: string, stroke: number) =>
    `<rect x="${left}" y="${top}" width="${width}" height="${height}" rx="3" fill="none" stroke="${colour}" stroke-width="${stroke}"/>`;
  return svg(size, rectangle('#00000088', 5) + rectangle('#ffffff', 2.5));
};

const roundCorners = (size: Size): Buffer =>
  svg(size, `<rect width="100%" height="100%" rx="${cornerRadius}" fill="#fff"/>`);

/** A PNG of just that size. */
export async function paintTile({ file, crop, frame }: Tile, size: Size): Promise<Buffer> {
  const original = sharp(file);
  const cut = crop ? original.extract(pixelsOfRegion(crop, await original.metadata())) : original;
  const shown = await cut.resize(size.width, size.height, { fit: 'fill' }).png().toBuffer();
  return sharp(checkerboard(size))
    .composite([
      { input: shown },
      ...(frame ? [{ input: outline(size, frame) }] : []),
      { input: roundCorners(size), blend: 'dest-in' as const },
    ])
    .png()
    .toBuffer();
}
