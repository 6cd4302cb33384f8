/** `passo-a-passo`: three numbered steps, one card each, with a progress bar. */
import type { Frame } from '../../video/frame.ts';
import { lettering } from '../lettering.ts';
import { type Mode, paintBackdrop, scaleFor, softShadow } from '../mode.ts';
import { easedBoth, easedOut, overshooting, passed, swinging } from '../motion.ts';
import { drawnSprite, paintSprite, type Sprite } from '../sprite.ts';
import type { Stage } from '../stage.ts';

const steps = ['Descubra', 'Use no dia a dia', 'Aproveite'] as const;
const accent = '#2f7df6';

const badgeOf = async (number: number, unit: number): Promise<Sprite> => {
  const side = 0.17 * unit;
  return drawnSprite(
    side,
    side,
    `<circle cx="50%" cy="50%" r="48%" fill="#ffffff"/><circle cx="50%" cy="50%" r="43%" fill="${accent}"/><text x="50%" y="50%" dy="0.36em" text-anchor="middle" font-family="Inter SemiBold" font-size="${0.1 * unit}" fill="#ffffff">${number}</text>`,
  );
};

const labelOf = (text: string, unit: number): Promise<Sprite | undefined> =>
  lettering({ text, size: 0.05 * unit, width: 0.44 * unit, lines: 2, ink: '#10233f', paper: '#ffffff' });

/** The layout: badge and label are beside the card, or on its corner and below it. */
const placesIn = ({ size: { width, height }, unit }: Stage) => {
  if (height > 1.5 * width) {
    const [x, y] = [width / 2, 0.47 * height];
    return {
      card: { x, y, scale: 1 },
      badge: { x: x - 0.28 * unit, y: y - 0.28 * unit },
      label: { x, y: y + 0.31 * unit },
      portrait: { x: x + 0.29 * unit, y: y - 0.2 * unit },
    };
  }
  const isBroad = width >= 1.4 * height;
  const card = { x: (isBroad ? 0.34 : 0.26) * width, y: 0.525 * height, scale: isBroad ? 0.68 : 0.56 };
  const x = isBroad ? 0.7 * width : width - 0.29 * unit;
  return {
    card,
    badge: { x, y: card.y - 0.09 * unit },
    label: { x, y: card.y + 0.1 * unit },
    portrait: { x: card.x - 0.15 * unit, y: card.y + 0.08 * unit },
  };
};

/**
 * The horizontal offset of a step, which slides in from the right and out to the left; undefined outside of its time.
 */
const slideAt = ({ size: { width } }: Stage, index: number, local: number, stepSeconds: number): number | undefined => {
  const entering = index === 0 ? 1 : easedOut(passed(local, -0.2, 0.45));
  const leaving = easedBoth(passed(local, stepSeconds - 0.2, 0.35));
  if (entering <= 0 || leaving >= 1) return undefined;
  return entering < 1 ? width - width * entering : -width * leaving;
};

const stepSecondsOf = ({ endFrom }: Stage): number => endFrom / steps.length;

const paintCard = (frame: Frame, stage: Stage, index: number, seconds: number): void => {
  const stepSeconds = stepSecondsOf(stage);
  const local = seconds - index * stepSeconds;
  const slide = slideAt(stage, index, local, stepSeconds);
  const card = stage.cards[index];
  if (slide === undefined || !card) return;
  const { x, y, scale } = placesIn(stage).card;
  paintSprite(frame, card, { x: x + slide, y, scale: scale * (1 + 0.04 * passed(local, 0, stepSeconds)) });
};

/** A progress bar for each step. */
async function barPainter({ size: { width, height }, unit }: Stage, stepSeconds: number) {
  const length = (0.88 * width) / steps.length - 0.02 * unit;
  const rectangle = (fill: string) =>
    drawnSprite(length, 0.018 * unit, `<rect width="100%" height="100%" rx="4" fill="${fill}"/>`);
  const [bar, track] = await Promise.all([rectangle('#ffffff'), rectangle('#10233f')]);
  return (frame: Frame, index: number, seconds: number) => {
    const share = passed(seconds, index * stepSeconds, stepSeconds);
    const [x, y] = [0.06 * width + ((index + 0.5) * 0.88 * width) / steps.length, 0.05 * unit];
    const left = x - bar.width / 2;
    paintSprite(frame, track, { x, y, opacity: 0.45 });
    paintSprite(frame, bar, { x, y, clip: { left, top: 0, right: left + share * bar.width, bottom: height } });
  };
}

export const tutorial: Mode = {
  accent,
  ink: '#ffffff',
  async prepare(stage) {
    const { size, unit, product, avatar, endFrom } = stage;
    const paintBar = await barPainter(stage, stepSecondsOf(stage));
    const shadow = await softShadow(0.7 * unit);
    const fit = scaleFor(product, { width: 0.72 * unit, height: 0.46 * size.height });
    const [x, y] = [size.width / 2, 0.42 * size.height];
    const { portrait } = placesIn(stage);
    return (frame, seconds) => {
      paintBackdrop(frame, stage, { zoom: 1, x: 0.4 * swinging(seconds, 0.03) });
      for (const index of steps.keys()) paintCard(frame, stage, index, seconds);
      const result = overshooting(passed(seconds, endFrom - 0.05, 0.6));
      if (seconds >= endFrom - 0.05) {
        paintSprite(frame, shadow, { isSoft: true, x, y: y + (product.height * fit) / 2, scale: result });
        paintSprite(frame, product, { x, y, scale: fit * result });
      }
      for (const index of steps.keys()) paintBar(frame, index, seconds);
      if (avatar) paintSprite(frame, avatar.portrait, { ...portrait, scale: 0.4 });
    };
  },
  async letter(stage) {
    const { unit } = stage;
    const stepSeconds = stepSecondsOf(stage);
    const { badge, label } = placesIn(stage);
    const labels = await Promise.all(steps.map((text) => labelOf(text, unit)));
    const badges = await Promise.all([1, 2, 3].map((number) => badgeOf(number, unit)));
    return (seconds) =>
      [...steps.keys()].flatMap((index) => {
        const slide = slideAt(stage, index, seconds - index * stepSeconds, stepSeconds);
        const [number, text] = [badges[index], labels[index]];
        if (slide === undefined || !number) return [];
        const moved = (place: { readonly x: number; readonly y: number }) => ({ ...place, x: place.x + slide });
        return [{ sprite: number, place: moved(badge) }, ...(text ? [{ sprite: text, place: moved(label) }] : [])];
      });
  },
};
