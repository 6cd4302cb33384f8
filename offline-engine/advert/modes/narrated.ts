/** `narracao`: a slow approach to the product, while details appear around it one by one. */
import { dolly, type Mode, paintBackdrop, scaleFor, softShadow } from '../mode.ts';
import { between, easedBoth, overshooting, passed, swinging } from '../motion.ts';
import { drawnSprite, paintSprite } from '../sprite.ts';

export const narrated: Mode = {
  accent: '#ffffff',
  ink: '#1b1b22',
  async prepare(stage) {
    const { size, seconds: total, unit, isWide, product, cards, hookUntil, endFrom } = stage;
    const { width, height } = size;
    const shadow = await softShadow(0.8 * unit);
    const shade = await drawnSprite(
      width + 4,
      height + 4,
      '<defs><radialGradient id="v" cx="0.5" cy="0.45" r="0.75"><stop offset="0.45" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity="0.55"/></radialGradient></defs><rect width="100%" height="100%" fill="url(#v)"/>',
    );
    const places = isWide
      ? [
          { x: 0.17 * width, y: 0.4 * height },
          { x: 0.83 * width, y: 0.34 * height },
          { x: 0.83 * width, y: 0.72 * height },
        ]
      : [
          { x: 0.23 * width, y: 0.2 * height },
          { x: 0.78 * width, y: 0.3 * height },
          { x: 0.22 * width, y: 0.62 * height },
        ];
    const span = (endFrom - hookUntil) / cards.length;
    const fit = scaleFor(product, { width: 0.78 * unit, height: 0.48 * height });
    return (frame, seconds) => {
      const share = seconds / total;
      paintBackdrop(frame, stage, dolly({ zoom: 0.92, x: 0, y: 0.3 }, { zoom: 1.12, x: 0, y: -0.2 }, share));
      paintSprite(frame, shade, { isSoft: true, x: width / 2, y: height / 2 });
      const scale = fit * between(0.78, 1.06, easedBoth(share));
      const y = 0.47 * height;
      paintSprite(frame, shadow, {
        isSoft: true,
        x: width / 2,
        y: y + (product.height * scale) / 2,
        scale: scale / fit,
      });
      paintSprite(frame, product, { x: width / 2, y, scale, radians: 0.018 * swinging(seconds, 0.12) });
      for (const [index, card] of cards.entries()) {
        const from = hookUntil + index * span;
        const visible =
          overshooting(passed(seconds, from, 0.7)) * (1 - easedBoth(passed(seconds, from + 1.7 * span, 0.5)));
        const place = places[index];
        if (place)
          paintSprite(frame, card, { ...place, scale: 0.5 * visible, radians: (index - 1) * 0.06, opacity: visible });
      }
    };
  },
};
