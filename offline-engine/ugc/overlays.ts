/** Overlays of some templates: camera displays, light and reflections. */
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

/** The progress bar at the top of a story. */
export const storyBar = ({ width, height }: FrameSize): Overlay => {
  const [left, top, thickness] = [width * 0.04, height * 0.018, Math.max(2, Math.round(height * 0.004))];
  return (frame, { share }) => {
    paintBox(frame, { left, top, width: width * 0.92, height: thickness }, 0, 0.4);
    paintBox(frame, { left, top, width: width * 0.92 * share, height: thickness }, white, 0.95);
  };
};

/** The corners and the blinking light of a camera's viewfinder. */
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
    // A disturbance that moves down the image.
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
    `<g transform="translate(${width * 0.92} ${height}) rotate(-12)"><rect x="${-width * 0.012}" y="${-height * 0.15}" width="${width * 0.024}" height="${height * 0.2}" fill="#16161a"/><rect x="${-width * 0.062}" y="${-height * 0.225}" width="${width * 0.124}" height="${height * 0.1}" rx="${width * 0.06}" fill="#4a4b55" stroke="#a9abb6" stroke-width="${width * 0.006}"/><path d="M${-width * 0.05} ${-height * 0.198}h${width * 0.1}m0 ${height * 0.016}h${-width * 0.1}m0 ${height * 0.016}h${width * 0.1}m0 ${height * 0.016}h${-width * 0.1}" stroke="#a9abb6" stroke-width="${width * 0.004}"/></g>`,
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

/** The lamp in front of a whispering person, and a microphone for each ear. */
export const ringLight = async (size: FrameSize): Promise<readonly Overlay[]> => {
  const { width, height } = size;
  const microphone = (x: number, degrees: number) =>
    `<g transform="translate(${x * width} ${height * 0.99}) rotate(${degrees})"><rect x="${-0.07 * width}" y="${-0.2 * width}" width="${0.14 * width}" height="${0.4 * width}" rx="${0.03 * width}" fill="#2b2c33"/><rect x="${-0.085 * width}" y="${-0.36 * width}" width="${0.17 * width}" height="${0.22 * width}" rx="${0.08 * width}" fill="#8d8f99"/><path d="M${-0.06 * width} ${-0.3 * width}h${0.12 * width}M${-0.07 * width} ${-0.26 * width}h${0.14 * width}M${-0.06 * width} ${-0.22 * width}h${0.12 * width}" stroke="#5d5f68" stroke-width="${0.012 * width}"/><rect x="${-0.085 * width}" y="${-0.165 * width}" width="${0.17 * width}" height="${0.022 * width}" fill="#d9b36a"/></g>`;
  const lamp = await svgLayer(
    size,
    `<defs><filter id="soft"><feGaussianBlur stdDeviation="${0.012 * width}"/></filter></defs><g filter="url(#soft)" fill="none" stroke="#fff3dc"><ellipse cx="${0.88 * width}" cy="${0.07 * height}" rx="${0.19 * width}" ry="${0.2 * width}" stroke-width="${0.12 * width}" opacity="0.3"/><ellipse cx="${0.88 * width}" cy="${0.07 * height}" rx="${0.19 * width}" ry="${0.2 * width}" stroke-width="${0.05 * width}" opacity="0.95"/></g>`,
  );
  const microphones = await svgLayer(size, microphone(0.07, 14) + microphone(0.93, -14));
  return [always(lamp), always(microphones)];
};

/** Fields, trees and houses, as a seamlessly repeating landscape. */
const countryside = (width: number, height: number): string => {
  const tree = (x: number, size: number) =>
    `<rect x="${(x - 0.006) * width}" y="${0.62 * height}" width="${0.012 * width}" height="${0.16 * height}" fill="#5b4330"/><ellipse cx="${x * width}" cy="${0.58 * height}" rx="${0.05 * size * width}" ry="${0.14 * size * height}" fill="#3c7a3f"/>`;
  const house = (x: number, colour: string) =>
    `<rect x="${x * width}" y="${0.55 * height}" width="${0.12 * width}" height="${0.22 * height}" fill="${colour}"/><path d="M${(x - 0.015) * width} ${0.55 * height}L${(x + 0.06) * width} ${0.42 * height}L${(x + 0.135) * width} ${0.55 * height}Z" fill="#9c4a35"/><rect x="${(x + 0.02) * width}" y="${0.62 * height}" width="${0.03 * width}" height="${0.07 * height}" fill="#dceaf5"/>`;
  return `<defs><linearGradient id="sky" x2="0" y2="1"><stop offset="0" stop-color="#8cc7f2"/><stop offset="1" stop-color="#e8f4fb"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#sky)"/><rect y="${0.72 * height}" width="100%" height="${0.28 * height}" fill="#7fae58"/><rect y="${0.88 * height}" width="100%" height="${0.12 * height}" fill="#6d6f75"/>${house(0.1, '#f1e3c8')}${house(0.6, '#e7c6b4')}${tree(0.34, 1)}${tree(0.46, 0.8)}${tree(0.82, 1.1)}${tree(0.93, 0.7)}`;
};

/** A car window with a passing landscape, the steering wheel, and moving light. */
export const carWindow = async (size: FrameSize): Promise<readonly Overlay[]> => {
  const { width, height } = size;
  const [top, across, down] = [Math.round(0.1 * height), Math.round(0.21 * width), Math.round(0.44 * height)];
  const landscape = { width: 6 * across, height: down };
  const { image } = await svgLayer(landscape, countryside(landscape.width, landscape.height));
  const words = new Uint32Array(image.pixels.buffer, image.pixels.byteOffset, image.width * image.height);
  const outside: Overlay = (frame, { seconds }) => {
    const passed = Math.round(seconds * 0.9 * width) % image.width;
    for (let row = 0; row < down; row += 1) {
      for (let column = 0; column < across; column += 1) {
        const from = row * image.width + ((column + passed) % image.width);
        frame.pixels[(top + row) * frame.width + column] = words[from] ?? 0;
      }
    }
  };
  const [sill, wheel] = [top + down, { x: 0.34 * width, y: 1.07 * height, radius: 0.33 * width }];
  const inside = await svgLayer(
    size,
    `<g fill="#15161a"><path d="M0 0H${width}V${0.03 * height}Q${0.6 * width} ${0.05 * height} ${0.3 * width} ${0.07 * height}L${0.17 * width} ${top + 0.03 * height}Q${0.16 * width} ${top} ${0.1 * width} ${top}H0Z"/><path d="M${0.16 * width} ${top}H${0.25 * width}L${0.225 * width} ${sill}H${0.17 * width}Q${0.19 * width} ${0.3 * height} ${0.16 * width} ${top}Z"/><path d="M0 ${sill - 0.012 * height}H${0.225 * width}Q${0.2 * width} ${0.8 * height} ${0.16 * width} ${height}H0Z"/></g><path d="M0 ${sill + 0.012 * height}H${0.215 * width}" stroke="#3b3d45" stroke-width="${0.008 * width}"/><g fill="none" stroke="#1b1c21"><circle cx="${wheel.x}" cy="${wheel.y}" r="${wheel.radius}" stroke-width="${0.055 * width}"/><path d="M${wheel.x} ${wheel.y}V${wheel.y - wheel.radius}" stroke-width="${0.08 * width}"/></g><circle cx="${wheel.x}" cy="${wheel.y}" r="${wheel.radius}" fill="none" stroke="#4a4c56" stroke-width="${0.008 * width}"/>`,
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
  return [outside, always(inside), passing];
};

/** The frame of a mirror, its reflection, and the phone that films. */
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
