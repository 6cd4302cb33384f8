/** `passo-a-passo`: three numbered steps, one card each, with a bar that fills. */
import type { Frame } from '../../video/frame.ts';
import { lettering } from '../lettering.ts';
import { type Mode, paintBackdrop, scaleFor, softShadow } from '../mode.ts';
import { easedBoth, easedOut, overshooting, passed, swinging } from '../motion.ts';
import { drawnSprite, paintSprite, type Sprite } from '../sprite.ts';
import type { Stage } from '../stage.ts';

const steps = ['Conheça', 'Use no dia a dia', 'Aproveite'] as const;
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
  lettering({ text, size: 0.062 * unit, width: 0.7 * unit, lines: 2, ink: '#10233f', paper: '#ffffff' });

/** Where cards, badges and labels are: labels are beside the card, on its lower edge, or on it. */
const placesIn = ({ size: { width, height }, unit }: Stage) => {
  if (width >= 1.4 * height)
    return {
      cardX: 0.34 * width,
      cardY: 0.5 * height,
      labelX: 0.74 * width,
      labelY: 0.44 * height,
      badge: 0.28 * unit,
    };
  const isTall = height > 1.2 * width;
  const [cardX, cardY] = [width / 2, (isTall ? 0.45 : 0.46) * height];
  return {
    cardX,
    cardY,
    labelX: cardX,
    labelY: cardY + (isTall ? 0.31 : 0.1) * unit,
    badge: (isTall ? 0.28 : 0.22) * unit,
  };
};

/** The steps slide in from the right, and out to the left. */
async function stepsPainter(stage: Stage, stepSeconds: number) {
  const { size, unit, cards } = stage;
  const { width } = size;
  const { cardX, cardY, labelX, labelY, badge: away } = placesIn(stage);
  const labels = await Promise.all(steps.map((text) => labelOf(text, unit)));
  const badges = await Promise.all([1, 2, 3].map((number) => badgeOf(number, unit)));
  return (frame: Frame, index: number, seconds: number) => {
    const local = seconds - index * stepSeconds;
    const entering = index === 0 ? 1 : easedOut(passed(local, -0.2, 0.45));
    const leaving = easedBoth(passed(local, stepSeconds - 0.2, 0.35));
    if (entering <= 0 || leaving >= 1) return;
    const [card, badge, label] = [cards[index], badges[index], labels[index]];
    const x = cardX + (entering < 1 ? width - width * entering : -width * leaving);
    if (card) paintSprite(frame, card, { x, y: cardY, scale: 1 + 0.04 * passed(local, 0, stepSeconds) });
    const pop = overshooting(passed(local, 0.1, 0.4));
    if (badge) paintSprite(frame, badge, { x: x - away, y: cardY - away, scale: pop });
    if (label) paintSprite(frame, label, { x: labelX + x - cardX, y: labelY, opacity: passed(local, 0.15, 0.3) });
  };
}

/** A bar for each step, which fills while the step lasts. */
async function barPainter({ size: { width, height }, unit }: Stage, stepSeconds: number) {
  const length = (0.88 * width) / steps.length - 0.02 * unit;
  const rectangle = (fill: string) =>
    drawnSprite(length, 0.018 * unit, `<rect width="100%" height="100%" rx="4" fill="${fill}"/>`);
  const [bar, track] = await Promise.all([rectangle('#ffffff'), rectangle('#10233f')]);
  return (frame: Frame, index: number, seconds: number) => {
    const share = passed(seconds, index * stepSeconds, stepSeconds);
    const [x, y] = [0.06 * width + ((index + 0.5) * 0.88 * width) / steps.length, 0.112 * unit];
    const left = x - bar.width / 2;
    paintSprite(frame, track, { x, y, opacity: 0.45 });
    paintSprite(frame, bar, { x, y, clip: { left, top: 0, right: left + share * bar.width, bottom: height } });
  };
}

export const tutorial: Mode = {
  accent,
  ink: '#ffffff',
  async prepare(stage) {
    const { size, unit, isWide, product, avatar, endFrom } = stage;
    const stepSeconds = endFrom / steps.length;
    const [paintStep, paintBar] = await Promise.all([stepsPainter(stage, stepSeconds), barPainter(stage, stepSeconds)]);
    const shadow = await softShadow(0.7 * unit);
    const fit = scaleFor(product, { width: 0.72 * unit, height: 0.46 * size.height });
    const [x, y] = [size.width / 2, 0.42 * size.height];
    const portrait = { x: size.width - 0.17 * unit, y: isWide ? 0.24 * size.height : 0.45 * size.height - 0.3 * unit };
    return (frame, seconds) => {
      paintBackdrop(frame, stage, { zoom: 1, x: 0.4 * swinging(seconds, 0.03) });
      for (const index of steps.keys()) paintStep(frame, index, seconds);
      const result = overshooting(passed(seconds, endFrom - 0.05, 0.6));
      if (seconds >= endFrom - 0.05) {
        paintSprite(frame, shadow, { isSoft: true, x, y: y + (product.height * fit) / 2, scale: result });
        paintSprite(frame, product, { x, y, scale: fit * result });
      }
      for (const index of steps.keys()) paintBar(frame, index, seconds);
      if (avatar) paintSprite(frame, avatar.portrait, { ...portrait, scale: 0.5 });
    };
  },
};
