/** What is seen over the image in some templates: displays of cameras, light and reflections. */
import sharp from 'sharp';
import { textLayer } from '../image/text-layer.ts';
import { type FrameSize, type Layer, layerOf, paintBox, paintLayer } from '../video/frame.ts';
import { smooth, sway } from '../video/motion.ts';
import type { Overlay } from './template.ts';

const white = 0xffffff;
const red = 0x3030f0;

const svgLayer = ({ width, height }: FrameSize, content: string, left = 0, top = 0): Promise<Layer> =>
  layerOf(
    sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`)),
    left,
    top,
  );

const wordsAt = async (text: string, size: number, left: number, top: number, colour = '#ffffff'): Promise<Layer> => {
  const words = await textLayer({ text, size, weight: 'semibold', width: size * text.length, colour });
  if (!words) throw new Error(`"${text}" cannot be displayed.`);
  return layerOf(sharp(words.png), left, top);
};

const always =
  (layer: Layer, opacity = 1): Overlay =>
  (frame) =>
    paintLayer(frame, layer, opacity);

/** The bar on top of a story that fills while it plays. */
export const storyBar = ({ width, height }: FrameSize): Overlay => {
  const [left, top, thickness] = [width * 0.04, height * 0.018, Math.max(2, Math.round(height * 0.004))];
  return (frame, { share }) => {
    paintBox(frame, { left, top, width: width * 0.92, height: thickness }, 0, 0.4);
    paintBox(frame, { left, top, width: width * 0.92 * share, height: thickness }, white, 0.95);
  };
};

/** The corners and the blinking light of a camera's finder. */
export const finder = async (size: FrameSize): Promise<readonly Overlay[]> => {
  const { width, height } = size;
  const [x, y, arm] = [width * 0.06, height * 0.07, width * 0.1];
  const [right, bottom] = [width - x, height - y];
  const corners = await svgLayer(
    size,
    `<path d="M${x} ${y + arm}V${y}H${x + arm}M${right - arm} ${y}H${right}V${y + arm}M${right} ${bottom - arm}V${bottom}H${right - arm}M${x + arm} ${bottom}H${x}V${bottom - arm}" fill="none" stroke="#fff" stroke-width="${width / 180}" opacity="0.85"/>`,
  );
  const label = await wordsAt('REC', Math.round(width * 0.04), x + arm * 0.95, y + width * 0.03);
  const dot = await svgLayer(
    { width: Math.round(width * 0.04), height: Math.round(width * 0.04) },
    `<circle cx="50%" cy="50%" r="40%" fill="#f03030"/>`,
    Math.round(x + arm * 0.45),
    Math.round(y + width * 0.028),
  );
  const blink: Overlay = (frame, { seconds }) => {
    if (seconds % 1 < 0.6) paintLayer(frame, dot);
  };
  return [always(corners), always(label), blink];
};

/** The display of a surveillance camera: its number, a running time and scan lines. */
export const surveillance = async (size: FrameSize, seconds: number): Promise<readonly Overlay[]> => {
  const { width, height } = size;
  const letters = Math.round(width * 0.042);
  const left = width * 0.06;
  const camera = await wordsAt('CAM 03', letters, left, height * 0.06, '#e8ffe8');
  const times = await Promise.all(
    Array.from({ length: Math.ceil(seconds) }, (_, second) => {
      const time = `03:12:${String(20 + second).padStart(2, '0')}`;
      return wordsAt(time, letters, width * 0.68, height * 0.06, '#e8ffe8');
    }),
  );
  const clock: Overlay = (frame, moment) => {
    const layer = times[Math.floor(moment.seconds)];
    if (layer) paintLayer(frame, layer);
  };
  const lines: Overlay = (frame, moment) => {
    for (let top = 0; top < height; top += 4) paintBox(frame, { left: 0, top, width, height: 1 }, 0, 0.28);
    // A disturbance runs down the image.
    paintBox(
      frame,
      { left: 0, top: ((moment.seconds * 0.21) % 1) * height, width, height: height * 0.03 },
      white,
      0.08,
    );
  };
  const light: Overlay = (frame, moment) => {
    const side = Math.round(width * 0.022);
    if (moment.seconds % 1 < 0.5)
      paintBox(frame, { left: width * 0.28, top: height * 0.0625, width: side, height: side }, red);
  };
  return [lines, always(camera), clock, light];
};

/** Bars that move with the speech, and a microphone. */
export const soundBars = async (size: FrameSize): Promise<readonly Overlay[]> => {
  const { width, height } = size;
  const microphone = await svgLayer(
    size,
    `<g transform="translate(${width * 0.92} ${height}) rotate(-12)"><rect x="${-width * 0.012}" y="${-height * 0.15}" width="${width * 0.024}" height="${height * 0.2}" fill="#16161a"/><rect x="${-width * 0.062}" y="${-height * 0.225}" width="${width * 0.124}" height="${height * 0.1}" rx="${width * 0.06}" fill="#26262c" stroke="#3c3c44" stroke-width="${width * 0.006}"/><path d="M${-width * 0.05} ${-height * 0.198}h${width * 0.1}m0 ${height * 0.016}h${-width * 0.1}m0 ${height * 0.016}h${width * 0.1}m0 ${height * 0.016}h${-width * 0.1}" stroke="#4a4a54" stroke-width="${width * 0.004}"/></g>`,
  );
  const bars = 21;
  const gap = (width * 0.46) / bars;
  const rhythms = Array.from({ length: bars }, (_, bar) => sway(`bar ${bar}`, 3.1));
  const levels: Overlay = (frame, { seconds, loudness }) => {
    for (const [bar, rhythm] of rhythms.entries()) {
      const fromMiddle = Math.abs(bar - (bars - 1) / 2) / (bars / 2);
      const level = 0.08 + loudness * (1 - 0.7 * fromMiddle) * (0.65 + 0.35 * rhythm(seconds));
      const tall = level * height * 0.07;
      const left = width * 0.27 + bar * gap;
      paintBox(frame, { left, top: height * 0.885 - tall / 2, width: gap * 0.55, height: tall }, 0x50b4ff, 0.92);
    }
  };
  return [always(microphone), levels];
};

/** The dark frame of a car's window and light that passes over it. */
export const carWindow = async (size: FrameSize): Promise<readonly Overlay[]> => {
  const { width, height } = size;
  const belt = await svgLayer(
    size,
    `<defs><linearGradient id="edge" x1="0" x2="1"><stop offset="0" stop-color="#060608" stop-opacity="0.95"/><stop offset="1" stop-color="#060608" stop-opacity="0"/></linearGradient></defs><path d="M0 0H${width * 0.2}Q${width * 0.08} ${height * 0.3} ${width * 0.1} ${height}H0Z" fill="url(#edge)"/><path d="M0 0H${width}V${height * 0.035}Q${width / 2} ${height * 0.075} 0 ${height * 0.035}Z" fill="#08080a" opacity="0.92"/><path d="M${width * 0.62} ${height}L${width} ${height * 0.66}V${height * 0.72}L${width * 0.72} ${height}Z" fill="#0c0c10" opacity="0.85"/>`,
  );
  const beamWidth = Math.round(width * 0.9);
  const beam = await svgLayer(
    { width: beamWidth, height },
    `<defs><linearGradient id="beam" x1="0" x2="1"><stop offset="0" stop-color="#ffe9b8" stop-opacity="0"/><stop offset="0.5" stop-color="#ffe9b8" stop-opacity="0.5"/><stop offset="1" stop-color="#ffe9b8" stop-opacity="0"/></linearGradient></defs><path d="M${beamWidth * 0.45} 0H${beamWidth * 0.95}L${beamWidth * 0.55} ${height}H${beamWidth * 0.05}Z" fill="url(#beam)"/>`,
  );
  const passing: Overlay = (frame, { seconds }) => {
    const passed = (seconds % 2.7) / 1.3;
    if (passed <= 1) paintLayer(frame, { ...beam, left: Math.round(width - passed * (width + beamWidth)) }, 0.9);
  };
  return [passing, always(belt)];
};

/** The frame of a mirror, what it reflects, and the phone that films. */
export const mirror = async (size: FrameSize): Promise<readonly Overlay[]> => {
  const { width, height } = size;
  const edge = width * 0.028;
  const glass = await svgLayer(
    size,
    `<defs><linearGradient id="frame" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#f4e3c2"/><stop offset="0.5" stop-color="#a98650"/><stop offset="1" stop-color="#efdcb4"/></linearGradient></defs><path fill-rule="evenodd" d="M0 0H${width}V${height}H0Z M${edge * 3} ${edge}H${width - edge * 3}Q${width - edge} ${edge} ${width - edge} ${edge * 3}V${height - edge * 3}Q${width - edge} ${height - edge} ${width - edge * 3} ${height - edge}H${edge * 3}Q${edge} ${height - edge} ${edge} ${height - edge * 3}V${edge * 3}Q${edge} ${edge} ${edge * 3} ${edge}Z" fill="url(#frame)"/>`,
  );
  const streak = await svgLayer(
    size,
    `<g fill="#fff"><path d="M${width * 0.1} ${height}L${width * 0.62} 0H${width * 0.8}L${width * 0.28} ${height}Z" opacity="0.16"/><path d="M${width * 0.36} ${height}L${width * 0.88} 0H${width * 0.92}L${width * 0.4} ${height}Z" opacity="0.2"/></g>`,
  );
  const phone = await svgLayer(
    { width: Math.round(width * 0.24), height: Math.round(height * 0.24) },
    `<rect x="3%" y="2%" width="94%" height="130%" rx="${width * 0.035}" fill="#17181c" stroke="#55565e" stroke-width="${width * 0.006}"/><rect x="10%" y="7%" width="40%" height="30%" rx="${width * 0.022}" fill="#24252b"/><circle cx="22%" cy="15%" r="${width * 0.018}" fill="#08080a" stroke="#4c4d56" stroke-width="2"/><circle cx="38%" cy="15%" r="${width * 0.018}" fill="#08080a" stroke="#4c4d56" stroke-width="2"/><circle cx="22%" cy="28%" r="${width * 0.018}" fill="#08080a" stroke="#4c4d56" stroke-width="2"/><circle cx="39%" cy="29%" r="${width * 0.009}" fill="#ffeec4"/>`,
  );
  const hand = sway('the hand with the phone', 0.4);
  const held: Overlay = (frame, { seconds }) => {
    const left = width * 0.7 + hand(seconds) * width * 0.012;
    const top = height * 0.78 + hand(seconds + 5) * height * 0.006;
    paintLayer(frame, { ...phone, left: Math.round(left), top: Math.round(top) });
  };
  const reflection: Overlay = (frame, { share }) =>
    paintLayer(frame, { ...streak, left: Math.round((smooth(share) - 0.5) * width * 0.35) }, 0.9);
  return [reflection, held, always(glass)];
};

/** Black bars above and below, as in the cinema. */
export const cinemaBars = ({ width, height }: FrameSize): Overlay => {
  const bar = Math.round(height * 0.055);
  return (frame) => {
    paintBox(frame, { left: 0, top: 0, width, height: bar }, 0);
    paintBox(frame, { left: 0, top: height - bar, width, height: bar }, 0);
  };
};
