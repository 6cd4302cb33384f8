/** `depoimento`: a person talks to a handheld camera, next to the product. */
import type { Frame } from '../../video/frame.ts';
import { lettering } from '../lettering.ts';
import { type Mode, paintBackdrop, scaleFor } from '../mode.ts';
import { easedOut, overshooting, passed, swinging } from '../motion.ts';
import { drawnSprite, paintSprite, type Sprite } from '../sprite.ts';
import type { Stage } from '../stage.ts';

const accent = '#ffd54a';

const discOf = (unit: number): Promise<Sprite> =>
  drawnSprite(
    0.42 * unit,
    0.42 * unit,
    `<circle cx="50%" cy="50%" r="49%" fill="#ffffff" opacity="0.92"/><circle cx="50%" cy="50%" r="47%" fill="none" stroke="${accent}" stroke-width="${0.012 * unit}"/>`,
  );

const quoteOf = (unit: number): Promise<Sprite> => {
  const mark = `M0 10 C 0 4 3 0 8 0 L 8 3 C 6 3 5 5 5 7 L 8.5 7 L 8.5 15 L 0 15 Z`;
  const scale = unit / 100;
  const marks = [0, 10].map(
    (x) => `<path transform="scale(${scale}) translate(${x} 0)" d="${mark}" fill="${accent}"/>`,
  );
  return drawnSprite(0.2 * unit, 0.16 * unit, marks.join(''));
};

const plateOf = (name: string, unit: number): Promise<Sprite | undefined> =>
  lettering({ text: name, size: 0.042 * unit, width: 0.42 * unit, lines: 1, ink: '#ffffff', paper: '#14161ccc' });

const discPlace = ({ size: { width, height }, unit, isWide }: Stage) => ({
  x: Math.min(0.76 * width, width - 0.26 * unit),
  y: (isWide ? 0.38 : 0.4) * height,
});

/** The camera's offset in pixels at a time. */
const swayAt = (seconds: number, unit: number): readonly [number, number] => [
  (swinging(seconds, 0.37) + 0.6 * swinging(seconds, 0.91)) * 0.006 * unit,
  (swinging(seconds, 0.43) + 0.5 * swinging(seconds, 1.13)) * 0.005 * unit,
];

function personPainter({ size: { width, height }, unit, isWide, avatar }: Stage) {
  if (!avatar) return () => undefined;
  const { figure } = avatar;
  const fit = scaleFor(figure, { width: (isWide ? 0.5 : 0.92) * width, height: (isWide ? 0.65 : 0.74) * height });
  return (frame: Frame, seconds: number, [swayX, swayY]: readonly [number, number]) => {
    const scale = fit * (1 + 0.008 * swinging(seconds, 0.5));
    const y = height - (figure.height * scale) / 2 + 0.012 * unit + swayY;
    const radians = 0.008 * swinging(seconds, 0.61);
    paintSprite(frame, figure, { x: (isWide ? 0.33 : 0.4) * width + 1.6 * swayX, y, scale, radians });
  };
}

export const testimonial: Mode = {
  accent,
  ink: '#2b2100',
  async prepare(stage) {
    const { unit, product, hookUntil } = stage;
    const [disc, quote] = await Promise.all([discOf(unit), quoteOf(unit)]);
    const fit = scaleFor(product, { width: 0.29 * unit, height: 0.29 * unit });
    const { x: discX, y: discY } = discPlace(stage);
    const paintPerson = personPainter(stage);
    return (frame, seconds) => {
      const sway = swayAt(seconds, unit);
      paintBackdrop(frame, stage, { zoom: 1.02, x: sway[0] / (0.03 * unit), y: sway[1] / (0.03 * unit) });
      paintPerson(frame, seconds, sway);
      const pop = overshooting(passed(seconds, hookUntil, 0.6));
      const [x, y] = [discX + sway[0], discY + 0.012 * unit * swinging(seconds, 0.4)];
      paintSprite(frame, disc, { x, y, scale: pop });
      paintSprite(frame, product, { x, y, scale: pop * fit, radians: 0.05 * swinging(seconds, 0.3) });
      const quoted = overshooting(passed(seconds, hookUntil + 0.4, 0.5));
      paintSprite(frame, quote, { x: discX - 0.2 * unit, y: discY - 0.17 * unit, scale: quoted });
    };
  },
  async letter(stage) {
    const { unit, avatar, hookUntil, endFrom } = stage;
    const plate = avatar && (await plateOf(avatar.name, unit));
    const { x, y } = discPlace(stage);
    return (seconds) => {
      const opacity = easedOut(passed(seconds, hookUntil + 0.6, 0.5)) * (1 - passed(seconds, endFrom - 0.6, 0.3));
      return plate && opacity > 0 ? [{ sprite: plate, place: { x, y: y + 0.275 * unit, opacity } }] : [];
    };
  },
};
