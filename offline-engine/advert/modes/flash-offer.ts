/** `oferta-relampago`: hard cuts on the beat, sudden zooms and stripes. */
import type { Frame } from '../../video/frame.ts';
import { type Mode, paintBackdrop, scaleFor, veil } from '../mode.ts';
import { between, easedOut, passed, swinging } from '../motion.ts';
import { drawnSprite, paintSprite, type Sprite } from '../sprite.ts';
import type { Stage } from '../stage.ts';

const pink = '#ff2e63';
const beatSeconds = 0.5;

/** Slanted stripes across a band of the frame. */
const stripes = (width: number, height: number): Promise<Sprite> => {
  const step = height * 0.9;
  const count = Math.ceil(width / step) + 3;
  const parts = Array.from(
    { length: count },
    (_, index) =>
      `<path d="M${index * step - step} ${height} L ${index * step - 0.5 * step} ${height} L ${index * step} 0 L ${index * step - 0.5 * step} 0 Z" fill="#ffe600"/>`,
  );
  return drawnSprite(width, height, `<rect width="100%" height="100%" fill="#16161d"/>${parts.join('')}`);
};

const burst = (side: number): Promise<Sprite> => {
  const points = Array.from({ length: 32 }, (_, index) => {
    const radius = (index % 2 === 0 ? 0.5 : 0.41) * side;
    const angle = (index / 32) * 2 * Math.PI;
    return `${side / 2 + radius * Math.sin(angle)},${side / 2 - radius * Math.cos(angle)}`;
  });
  return drawnSprite(side, side, `<polygon points="${points.join(' ')}" fill="${pink}"/>`);
};

/** The product at each beat: its position as a share of the frame, its angle and its size. */
const shots = [
  { x: 0.5, y: 0.47, radians: -0.1, size: 1 },
  { x: 0.42, y: 0.5, radians: 0.14, size: 1.35 },
  { x: 0.56, y: 0.44, radians: -0.02, size: 0.85 },
  { x: 0.6, y: 0.52, radians: -0.2, size: 1.5 },
] as const;

interface Beat {
  readonly number: number;
  readonly local: number;
  /** Rises from 0 to 1 at the beginning of the beat. */
  readonly punch: number;
}

const beatAt = (seconds: number): Beat => {
  const number = Math.floor(seconds / beatSeconds);
  const local = seconds - number * beatSeconds;
  return { number, local, punch: easedOut(local / 0.22) };
};

/** The star with the product or, on every fourth beat, one of its images. */
async function shotPainter({ size, unit, product, cards, endFrom }: Stage) {
  const star = await burst(0.95 * unit);
  const fit = scaleFor(product, { width: 0.7 * unit, height: 0.44 * size.height });
  return (frame: Frame, seconds: number, { number, punch }: Beat) => {
    const isEnd = seconds >= endFrom;
    const last = { x: 0.5, y: 0.45, radians: 0.05 * swinging(seconds, 2), size: 1.05 };
    const shot = isEnd ? last : (shots[number % shots.length] ?? shots[0]);
    const [x, y] = [shot.x * size.width, shot.y * size.height];
    const jolt = (1 - punch) * 0.02 * unit * (number % 2 === 0 ? 1 : -1);
    const throb = between(0.8, 1.05, punch) + 0.03 * swinging(seconds, 4);
    paintSprite(frame, star, { x, y, radians: 0.9 * seconds, scale: throb });
    const card = isEnd || number % 4 !== 2 ? undefined : cards[number % cards.length];
    if (card) {
      paintSprite(frame, card, { x: x + jolt, y, scale: between(1.3, 0.95, punch), radians: shot.radians * 2 + 0.05 });
      return;
    }
    const scale = fit * shot.size * between(1.35, 1, punch);
    paintSprite(frame, product, { x: x + jolt, y, scale, radians: shot.radians });
  };
}

export const flashOffer: Mode = {
  accent: '#ffffff',
  ink: '#d3003f',
  async prepare(stage) {
    const { size, unit } = stage;
    const band = await stripes(size.width * 1.3, 0.075 * unit);
    const [white, tint] = await Promise.all([veil(stage, '#ffffff'), veil(stage, pink)]);
    const paintShot = await shotPainter(stage);
    const center = { x: size.width / 2, y: size.height / 2 };
    return (frame, seconds) => {
      const beat = beatAt(seconds);
      const { number, local, punch } = beat;
      const zoom = between(1.25, 1.05, punch);
      paintBackdrop(frame, stage, { zoom, x: 0.5 * Math.sin(number * 2.1), y: 0.4 * Math.cos(number * 1.7) });
      if (number % 2 === 1) paintSprite(frame, tint, { ...center, opacity: 0.34, isSoft: true });
      paintShot(frame, seconds, beat);
      const travel = ((seconds * 0.35) % 1) * 0.0675 * unit;
      paintSprite(frame, band, { x: center.x + travel, y: 0.06 * size.height, radians: -0.05 });
      paintSprite(frame, band, { x: center.x - travel, y: 0.965 * size.height, radians: -0.05 });
      const flash = number > 0 ? 0.75 * (1 - passed(local, 0, 0.12)) : 0;
      if (flash > 0) paintSprite(frame, white, { ...center, opacity: flash, isSoft: true });
    };
  },
};
