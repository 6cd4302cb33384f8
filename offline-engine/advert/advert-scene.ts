/**
 * Builds the layers of an advertisement: the stage, animated as its mode requires, and on top the title, the captions
 * and the call to action.
 */
import type { FrameSize } from '../image/frame-size.ts';
import { overshooting, passed, swinging } from '../video/motion.ts';
import { type Layer, type Painter, painterOf } from '../video/scene.ts';
import { drawnSprite, type Sprite } from '../video/sprite.ts';
import { captionsOf, lettering, markOn, spokenCues } from '../video/texts.ts';
import type { Mode, Prop } from './modes.ts';
import type { Stage } from './stage.ts';

export interface Advert {
  readonly size: FrameSize;
  readonly seconds: number;
  readonly mode: Mode;
  /** The title at the beginning. */
  readonly hook: string | undefined;
  /** The name of the product. */
  readonly title: string;
  /** The spoken line and when it begins. */
  readonly line: { readonly text: string; readonly startSeconds: number; readonly seconds: number } | undefined;
}

const unitOf = ({ width, height }: FrameSize): number => Math.min(width, height);

const backdropLayer = ({ size, seconds: total, mode }: Advert, { backdrop }: Stage): Layer => {
  if (!backdrop) return () => [];
  const room = (whole: number, shown: number) => Math.max(0, (whole - shown) / 2 - 2);
  return (seconds) => {
    const { x, y, scale = 1 } = mode.camera({ seconds, share: seconds / total });
    const left = size.width / 2 + x * room(backdrop.width * scale, size.width);
    const top = size.height / 2 + y * room(backdrop.height * scale, size.height);
    return [{ sprite: backdrop, place: { x: left, y: top, scale, isSoft: true } }];
  };
};

async function propLayer({ size, seconds: total }: Advert, stage: Stage, { what, fit, at }: Prop): Promise<Layer> {
  const [width, height] = [fit[0] * unitOf(size), fit[1] * size.height];
  const drawn = (elements: string): Promise<Sprite> =>
    drawnSprite(width, width, `<svg viewBox="0 0 100 100" width="${width}" height="${width}">${elements}</svg>`);
  const sprite = what.startsWith('<') ? await drawn(what) : stage[what];
  if (!sprite) return () => [];
  const whole = what.startsWith('<') ? 1 : Math.min(width / sprite.width, height / sprite.height);
  return (seconds) => {
    const { x, y, scale = 1, ...place } = at({ seconds, share: seconds / total });
    const up = what === 'figure' ? (sprite.height * scale * whole) / 2 : 0;
    const seen = { ...place, x: x * size.width, y: y * size.height - up, scale: scale * whole };
    return [{ sprite, place: seen }, ...(stage.acts?.[what]?.(seen, seconds) ?? [])];
  };
}

/** The title that opens the video: complete from the first frame on, which is the poster. */
async function titleLayer({ size, seconds: total, mode, hook }: Advert): Promise<Layer> {
  const unit = unitOf(size);
  const style = { size: 0.078 * unit, width: Math.min(0.74 * size.width, 1.2 * unit), lines: 3 };
  const sprite = hook && (await lettering({ ...style, text: hook, color: mode.ink, paper: mode.accent }));
  if (!sprite) return () => [];
  const y = Math.max(0.09 * unit, size.width >= size.height ? 0 : 0.1 * size.height) + sprite.height / 2;
  const until = Math.min(2.6, 0.3 * total);
  return (seconds) => {
    const hop = 0.03 * unit * Math.abs(swinging(seconds, 1.1)) * (1 - passed(seconds, 0, 1.4));
    const opacity = 1 - passed(seconds, until, 0.25);
    return opacity > 0 ? [{ sprite, place: { x: size.width / 2, y: y - hop, opacity } }] : [];
  };
}

/** When the call to action appears. */
const endFrom = (total: number): number => total - Math.min(3.2, 0.3 * total);

/** The product's name and a button, without a price; `top` is the upper edge. */
async function callToAction({ size, seconds: total, mode, title }: Advert) {
  const unit = unitOf(size);
  const width = Math.min(0.8 * size.width, 1.4 * unit);
  const [name, button] = await Promise.all([
    lettering({ text: title, size: 0.048 * unit, width, lines: 2 }),
    lettering({ text: 'Garanta o seu', size: 0.052 * unit, width, lines: 1, color: mode.ink, paper: mode.accent }),
  ]);
  const x = size.width / 2;
  const buttonY = size.width >= size.height ? size.height - 0.075 * unit : 0.905 * size.height;
  const nameHeight = name?.height ?? 0;
  const nameY = buttonY - 0.07 * unit - nameHeight / 2;
  const layer: Layer = (seconds) => {
    const opacity = passed(seconds, endFrom(total), 0.3);
    const scale = overshooting(passed(seconds, endFrom(total) + 0.2, 0.45)) * (1 + 0.035 * swinging(seconds, 1.2));
    if (opacity === 0) return [];
    return [
      ...(name ? [{ sprite: name, place: { x, y: nameY, opacity } }] : []),
      ...(button ? [{ sprite: button, place: { x, y: buttonY, scale } }] : []),
    ];
  };
  return { layer, top: nameY - nameHeight / 2 };
}

/** The layers with all texts, placed so that none hides another. */
export async function advertTexts(advert: Advert): Promise<readonly Layer[]> {
  const { size, seconds: total, line } = advert;
  const unit = unitOf(size);
  const end = await callToAction(advert);
  const usual = (size.width >= size.height ? 0.78 : 0.745) * size.height;
  const cues = line ? spokenCues(line.text, line.startSeconds, line.seconds) : [];
  const style = { size: 0.06 * unit, width: 0.86 * size.width, lines: 2, middle: usual };
  const lowest = (seconds: number) => (seconds < endFrom(total) - 0.3 ? size.height : end.top - 0.02 * unit);
  const captions = await captionsOf(cues, style, size, lowest);
  return [await titleLayer(advert), captions, end.layer, await markOn(size)];
}

export async function advertScene(advert: Advert, stage: Stage): Promise<Painter> {
  const props = await Promise.all(advert.mode.props.map((prop) => propLayer(advert, stage, prop)));
  return painterOf([backdropLayer(advert, stage), ...props, ...(await advertTexts(advert))]);
}
