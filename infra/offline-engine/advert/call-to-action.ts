/** The end of an advertisement: the product's name and a button, without a price. */
import type { Frame } from '../video/frame.ts';
import { lettering } from './lettering.ts';
import type { Mode } from './mode.ts';
import { easedOut, overshooting, passed, swinging } from './motion.ts';
import { paintSprite } from './sprite.ts';
import type { Stage } from './stage.ts';

export async function callToAction(
  title: string,
  { accent, ink }: Mode,
  { size, unit, isWide, endFrom }: Stage,
): Promise<(frame: Frame, seconds: number) => void> {
  const width = Math.min(0.9 * size.width, 1.5 * unit);
  const [name, button] = await Promise.all([
    lettering({ text: title, size: 0.058 * unit, width, lines: 2 }),
    lettering({ text: 'Garanta o seu', size: 0.062 * unit, width, lines: 1, ink, paper: accent }),
  ]);
  const x = size.width / 2;
  const buttonY = (isWide ? 0.9 : 0.905) * size.height;
  const nameY = buttonY - (isWide ? 0.105 : 0.1) * unit - (name ? name.height / 2 - 0.055 * unit : 0);
  return (frame, seconds) => {
    const arriving = easedOut(passed(seconds, endFrom, 0.4));
    if (arriving <= 0) return;
    if (name) paintSprite(frame, name, { x, y: nameY + 0.3 * unit * (1 - arriving), opacity: arriving });
    const pressed = 1 + 0.035 * swinging(seconds - endFrom, 1.2);
    const scale = Math.max(0.02, overshooting(passed(seconds, endFrom + 0.2, 0.45))) * pressed;
    if (button) paintSprite(frame, button, { x, y: buttonY, scale });
  };
}
