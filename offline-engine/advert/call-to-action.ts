/** The end of an advertisement: the product's name and a button, without a price. */
import type { LetteredAt } from './lettered.ts';
import { lettering, paperOverImages } from './lettering.ts';
import type { Mode } from './mode.ts';
import { easedOut, overshooting, passed, swinging } from './motion.ts';
import type { Stage } from './stage.ts';

interface CallToAction {
  readonly lettered: LetteredAt;
  /** The position of its upper edge. */
  readonly top: number;
}

export async function callToAction(
  title: string,
  { accent, ink }: Mode,
  { size, unit, isWide, endFrom }: Stage,
): Promise<CallToAction> {
  const width = Math.min(0.8 * size.width, 1.4 * unit);
  const [name, button] = await Promise.all([
    lettering({ text: title, size: 0.048 * unit, width, lines: 2, paper: paperOverImages }),
    lettering({ text: 'Garanta o seu', size: 0.052 * unit, width, lines: 1, ink, paper: accent }),
  ]);
  const x = size.width / 2;
  const buttonY = isWide ? size.height - 0.075 * unit : 0.905 * size.height;
  const nameHeight = name?.height ?? 0;
  const nameY = buttonY - 0.07 * unit - nameHeight / 2;
  return {
    top: nameY - nameHeight / 2,
    lettered: (seconds) => {
      const arriving = easedOut(passed(seconds, endFrom, 0.4));
      if (arriving <= 0) return [];
      const pressed = 1 + 0.035 * swinging(seconds - endFrom, 1.2);
      const scale = Math.max(0.02, overshooting(passed(seconds, endFrom + 0.2, 0.45))) * pressed;
      return [
        ...(name ? [{ sprite: name, place: { x, y: nameY, opacity: arriving } }] : []),
        ...(button ? [{ sprite: button, place: { x, y: buttonY, scale } }] : []),
      ];
    },
  };
}
