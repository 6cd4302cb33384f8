/** `vitrine`: the product turns on a pedestal, under a spotlight in the dark. */
import { dolly, type Mode, paintBackdrop, scaleFor, softDisc, veil } from '../mode.ts';
import { easedBoth, passed, swinging } from '../motion.ts';
import { drawnSprite, paintSprite, type Sprite } from '../sprite.ts';

/** The duration of a turn to one side and back. */
const turnSeconds = 5;
const glints = [
  { x: -0.3, y: -0.34, from: 0.2 },
  { x: 0.33, y: -0.12, from: 0.45 },
  { x: -0.22, y: 0.12, from: 0.7 },
  { x: 0.18, y: -0.42, from: 0.9 },
] as const;

const glintOf = (unit: number): Promise<Sprite> =>
  drawnSprite(
    0.16 * unit,
    0.16 * unit,
    `<path d="M${0.08 * unit} 0 L ${0.09 * unit} ${0.07 * unit} L ${0.16 * unit} ${0.08 * unit} L ${0.09 * unit} ${0.09 * unit} L ${0.08 * unit} ${0.16 * unit} L ${0.07 * unit} ${0.09 * unit} L 0 ${0.08 * unit} L ${0.07 * unit} ${0.07 * unit} Z" fill="#fffbe9"/>`,
  );

const coneOf = (unit: number, height: number): Promise<Sprite> =>
  drawnSprite(
    1.3 * unit,
    0.84 * height,
    `<defs><linearGradient id="beam" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fff6dc" stop-opacity="0.62"/><stop offset="1" stop-color="#fff6dc" stop-opacity="0.05"/></linearGradient></defs><polygon points="${0.56 * unit},0 ${0.74 * unit},0 ${1.22 * unit},${0.84 * height} ${0.08 * unit},${0.84 * height}" fill="url(#beam)"/>`,
  );

export const showcase: Mode = {
  accent: '#e8c46a',
  ink: '#1a1405',
  async prepare(stage) {
    const { size, seconds: total, unit, product } = stage;
    const { width, height } = size;
    const dark = await veil(stage, '#07070d');
    const cone = await coneOf(unit, height);
    const [across, down] = [0.74 * unit, 0.3 * unit];
    const pedestal = await drawnSprite(
      across,
      down,
      `<defs><linearGradient id="side" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#15151c"/><stop offset="0.45" stop-color="#5a5a68"/><stop offset="1" stop-color="#101016"/></linearGradient><radialGradient id="top"><stop offset="0" stop-color="#fff7e2"/><stop offset="1" stop-color="#8d8776"/></radialGradient></defs><path d="M0 ${0.25 * down} L 0 ${down} L ${across} ${down} L ${across} ${0.25 * down} Z" fill="url(#side)"/><ellipse cx="${across / 2}" cy="${0.25 * down}" rx="${across / 2}" ry="${0.25 * down}" fill="url(#top)"/><ellipse cx="${across / 2}" cy="${0.25 * down}" rx="${across * 0.485}" ry="${0.235 * down}" fill="none" stroke="#e8c46a" stroke-width="${0.006 * unit}"/>`,
    );
    const glint = await glintOf(unit);
    const halo = await softDisc(1.05 * unit, '#ffe9b0');
    const [x, stand] = [width / 2, 0.715 * height];
    const fit = scaleFor(product, { width: 0.6 * unit, height: 0.42 * height });
    return (frame, seconds) => {
      const share = seconds / total;
      paintBackdrop(frame, stage, dolly({ zoom: 0.95, x: -0.3, y: 0 }, { zoom: 1, x: 0.3, y: 0 }, share));
      paintSprite(frame, dark, { x, y: height / 2, opacity: 0.76, isSoft: true });
      const light = easedBoth(passed(seconds, 0.1, 0.8));
      paintSprite(frame, cone, {
        isSoft: true,
        x,
        y: 0.42 * height,
        opacity: light,
        stretch: 1 + 0.03 * swinging(seconds, 0.2),
      });
      paintSprite(frame, halo, { isSoft: true, x, y: stand - 0.22 * unit, opacity: 0.3 * light });
      paintSprite(frame, pedestal, { x, y: stand + down * 0.32 });
      const turn = 1.18 * swinging(seconds, 1 / turnSeconds);
      const y = stand - (product.height * fit) / 2 + 0.03 * unit;
      paintSprite(frame, product, { x, y, scale: fit, stretch: Math.cos(turn), opacity: 0.4 + 0.6 * light });
      for (const { x: aside, y: up, from } of glints) {
        const phase = (share * 2 + from) % 1;
        const shine = Math.max(0, 1 - Math.abs(phase - 0.5) * 7);
        paintSprite(frame, glint, {
          x: x + aside * unit,
          y: stand + up * unit,
          scale: shine,
          radians: phase,
          opacity: shine,
        });
      }
    };
  },
};
