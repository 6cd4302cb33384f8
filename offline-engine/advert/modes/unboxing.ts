/** `unboxing`: a box opens, and the product jumps out of it. */
import { seededRandom } from '../../image/seeded-random.ts';
import type { Frame } from '../../video/frame.ts';
import { type Mode, paintBackdrop, scaleFor, softShadow } from '../mode.ts';
import { between, easedBoth, easedOut, overshooting, passed, swinging } from '../motion.ts';
import { drawnSprite, paintSprite, type Sprite } from '../sprite.ts';
import type { Stage } from '../stage.ts';

const colours = ['#ff5a5f', '#ffd54a', '#35c9a5', '#4b8bff', '#c46bff'] as const;

interface Piece {
  readonly sprite: Sprite;
  readonly speedX: number;
  readonly speedY: number;
  readonly turns: number;
}

async function confettiFor({ unit }: Stage): Promise<readonly Piece[]> {
  const random = seededRandom('confetti');
  const papers = await Promise.all(
    colours.map((colour) =>
      drawnSprite(0.022 * unit, 0.034 * unit, `<rect width="100%" height="100%" rx="2" fill="${colour}"/>`),
    ),
  );
  const [first] = papers;
  if (!first) return [];
  return Array.from({ length: 60 }, () => ({
    sprite: random.pick([first, ...papers.slice(1)]),
    speedX: random.between(-0.9, 0.9) * unit,
    speedY: random.between(-1.9, -0.9) * unit,
    turns: random.between(-3, 3),
  }));
}

/** The rays that turn behind the product. */
const raysOf = ({ unit }: Stage): Promise<Sprite> => {
  const side = 1.5 * unit;
  const wedges = Array.from(
    { length: 12 },
    (_, index) =>
      `<path d="M0 0 L ${-0.085 * side} ${-0.5 * side} L ${0.085 * side} ${-0.5 * side} Z" fill="url(#ray)" transform="translate(${side / 2} ${side / 2}) rotate(${index * 30})"/>`,
  );
  return drawnSprite(
    side,
    side,
    `<defs><radialGradient id="ray" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="${side / 2}"><stop offset="0" stop-color="#fff3c4" stop-opacity="0.9"/><stop offset="1" stop-color="#fff3c4" stop-opacity="0"/></radialGradient></defs>${wedges.join('')}`,
  );
};

const boxParts = async (unit: number) => {
  const [across, down] = [0.72 * unit, 0.36 * unit];
  const front = await drawnSprite(
    across,
    down,
    `<defs><linearGradient id="c" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#d9a066"/><stop offset="1" stop-color="#b37a41"/></linearGradient></defs><rect width="100%" height="100%" rx="${0.012 * unit}" fill="url(#c)"/><rect x="44%" width="12%" height="100%" fill="#e9c79a" opacity="0.85"/><rect x="8%" y="64%" width="20%" height="18%" fill="none" stroke="#8a5a2b" stroke-width="${0.006 * unit}"/>`,
  );
  const back = await drawnSprite(across, 0.1 * unit, `<rect width="100%" height="100%" fill="#6f4722"/>`);
  const flap = await drawnSprite(
    across / 2,
    0.05 * unit,
    `<rect width="100%" height="100%" rx="${0.01 * unit}" fill="#e2b27c"/>`,
  );
  return { across, down, front, back, flap };
};

type Box = Awaited<ReturnType<typeof boxParts>>;

/** Paints a flap that turns around the upper corner of the box; `open` goes from 0 to 1. */
const paintFlap = (frame: Frame, box: Box, corner: { x: number; y: number; side: -1 | 1 }, open: number): void => {
  const { x, y, side } = corner;
  const radians = side * between(0, 2.2, open);
  const [across, down] = [Math.cos(radians) * (box.across / 4), Math.abs(Math.sin(radians)) * (box.across / 4)];
  paintSprite(frame, box.flap, { x: x - side * across, y: y - down, radians });
};

const paintConfetti = (frame: Frame, pieces: readonly Piece[], from: { x: number; y: number }, age: number): void => {
  if (age <= 0) return;
  const fall = 1.1 * Math.min(frame.width, frame.height) * age * age;
  for (const { sprite, speedX, speedY, turns } of pieces) {
    const [x, y] = [from.x + speedX * age, from.y + speedY * age + fall];
    paintSprite(frame, sprite, { x, y, radians: turns * 6 * age, stretch: Math.cos(turns * 9 * age) });
  }
};

/** Paints the product as it leaves the box and dances above it. */
function productPainter({ size, unit, product }: Stage, openAt: number, floor: number, rim: number) {
  const fit = scaleFor(product, { width: 0.74 * unit, height: 0.46 * size.height });
  const [x, top] = [size.width / 2, Math.min(0.46 * size.height, rim - 0.42 * product.height * fit)];
  const clip = { left: 0, top: 0, right: size.width, bottom: floor - 0.02 * unit };
  return (frame: Frame, seconds: number) => {
    if (seconds <= openAt) return;
    const rise = overshooting(passed(seconds, openAt + 0.15, 0.9));
    const bounce = Math.abs(swinging(seconds, 0.55)) * 0.03 * unit * passed(seconds, openAt + 1, 0.5);
    paintSprite(frame, product, {
      x,
      y: between(floor - 0.1 * unit, top, rise) - bounce,
      scale: fit * between(0.45, 1, Math.min(1, rise)),
      radians: 0.1 * swinging(seconds, 0.5) * passed(seconds, openAt, 0.5),
      clip,
    });
  };
}

export const unboxing: Mode = {
  accent: '#ff5a5f',
  ink: '#ffffff',
  async prepare(stage) {
    const { size, seconds: total, unit, avatar } = stage;
    const box = await boxParts(unit);
    const [rays, confetti, shadow] = await Promise.all([raysOf(stage), confettiFor(stage), softShadow(0.9 * unit)]);
    const [x, floor, openAt] = [size.width / 2, 0.93 * size.height, 0.2 * total];
    const rim = floor - box.down;
    const paintProduct = productPainter(stage, openAt, floor, rim);
    return (frame, seconds) => {
      const shake = seconds < openAt ? 0.01 * unit * swinging(seconds, 6) * passed(seconds, 0, openAt) : 0;
      paintBackdrop(frame, stage, { zoom: 1 + 0.04 * easedOut(passed(seconds, openAt, 0.5)) });
      const glow = 0.75 * passed(seconds, openAt, 0.5);
      paintSprite(frame, rays, { isSoft: true, x, y: 0.44 * size.height, radians: 0.5 * seconds, opacity: glow });
      paintSprite(frame, shadow, { isSoft: true, x, y: floor });
      paintSprite(frame, box.back, { x: x + shake, y: rim });
      paintProduct(frame, seconds);
      paintSprite(frame, box.front, { x: x + shake, y: floor - box.down / 2 });
      const open = easedBoth(passed(seconds, openAt, 0.35));
      paintFlap(frame, box, { x: x - box.across / 2, y: rim, side: -1 }, open);
      paintFlap(frame, box, { x: x + box.across / 2, y: rim, side: 1 }, open);
      paintConfetti(frame, confetti, { x, y: rim }, seconds - openAt - 0.15);
      const greeting = {
        scale: 0.62 * overshooting(passed(seconds, openAt + 0.9, 0.5)),
        radians: 0.06 * swinging(seconds, 0.6),
      };
      if (avatar)
        paintSprite(frame, avatar.portrait, {
          x: 0.2 * unit,
          y: (stage.isWide ? 0.52 : 0.6) * size.height,
          ...greeting,
        });
    };
  },
};
