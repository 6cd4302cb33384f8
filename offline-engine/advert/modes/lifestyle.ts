/** `estilo-de-vida`: a widescreen film scene with depth, in which everything moves slowly. */
import type { FrameSize } from '../../video/frame.ts';
import { dolly, type Mode, paintBackdrop, scaleFor, softDisc, softShadow } from '../mode.ts';
import { between, easedBoth, swinging } from '../motion.ts';
import { drawnSprite, paintSprite, type Sprite } from '../sprite.ts';

const lights = [
  { x: 0.12, y: 0.3, size: 1.3, speed: 0.5 },
  { x: 0.85, y: 0.22, size: 0.9, speed: 0.8 },
  { x: 0.7, y: 0.8, size: 1.6, speed: 0.35 },
  { x: 0.3, y: 0.72, size: 0.7, speed: 1 },
] as const;

/** A warm light from one side, and a cool one from the other. */
const warmLight = ({ width, height }: FrameSize): Promise<Sprite> =>
  drawnSprite(
    width + 8,
    height + 8,
    '<defs><linearGradient id="w" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#ffb45e" stop-opacity="0.42"/><stop offset="0.5" stop-color="#ff8a4c" stop-opacity="0.08"/><stop offset="1" stop-color="#26314f" stop-opacity="0.4"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#w)"/>',
  );

export const lifestyle: Mode = {
  accent: '#f4e3c8',
  ink: '#3a2a18',
  async prepare(stage) {
    const { size, seconds: total, unit, isWide, product, avatar } = stage;
    const { width, height } = size;
    const bandHeight = 0.085 * height;
    const band = await drawnSprite(width + 8, bandHeight, '<rect width="100%" height="100%" fill="#050505"/>');
    const warm = await warmLight(size);
    const disc = await softDisc(0.3 * unit, '#ffdca0');
    const shadow = await softShadow(0.7 * unit);
    const figureScale = avatar
      ? scaleFor(avatar.figure, { width: (isWide ? 0.45 : 0.85) * width, height: 0.7 * height })
      : 1;
    const fit = scaleFor(product, { width: (avatar ? 0.5 : 0.68) * unit, height: (avatar ? 0.32 : 0.42) * height });
    return (frame, seconds) => {
      const share = easedBoth(seconds / total);
      paintBackdrop(frame, stage, dolly({ zoom: 0.98, x: -0.9, y: 0 }, { zoom: 1.06, x: 0.9, y: 0 }, seconds / total));
      if (avatar) {
        const scale = figureScale * between(1, 1.05, share);
        paintSprite(frame, avatar.figure, {
          x: (isWide ? 0.66 : 0.6) * width + between(0.025, -0.025, share) * width,
          y: height - bandHeight - (avatar.figure.height * scale) / 2 + 0.04 * unit,
          scale,
        });
      }
      paintSprite(frame, warm, {
        isSoft: true,
        x: width / 2,
        y: height / 2,
        opacity: 0.75 + 0.25 * swinging(seconds, 0.08),
      });
      const scale = fit * between(0.92, 1.08, share);
      const x = (avatar ? 0.3 : 0.5) * width + between(-0.05, 0.05, share) * width;
      const stand = (avatar ? 0.85 : 0.74) * height;
      paintSprite(frame, shadow, { isSoft: true, x, y: stand, scale: avatar ? 0.75 : 1 });
      paintSprite(frame, product, { x, y: stand - (product.height * scale) / 2 + 0.02 * unit, scale });
      for (const { x: left, y: top, size: large, speed } of lights) {
        paintSprite(frame, disc, {
          isSoft: true,
          x: left * width + between(-0.12, 0.12, share) * speed * width,
          y: top * height + 0.02 * unit * swinging(seconds, 0.1 * speed),
          scale: large,
          opacity: 0.28 + 0.12 * swinging(seconds, 0.3 * speed),
        });
      }
      paintSprite(frame, band, { isSoft: true, x: width / 2, y: bandHeight / 2 - 1 });
      paintSprite(frame, band, { isSoft: true, x: width / 2, y: height - bandHeight / 2 + 1 });
    };
  },
};
