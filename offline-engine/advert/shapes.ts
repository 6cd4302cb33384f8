/** Elements of SVG drawings. */
import type { FrameSize } from '../video/frame.ts';

/** Draws a setting in the given size: definitions and elements. */
export type DrawPlace = (size: FrameSize) => string;

const opaque = (opacity: number): string => (opacity === 1 ? '' : ` opacity="${opacity}"`);

export const rect = (x: number, y: number, width: number, height: number, fill: string, opacity = 1): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"${opaque(opacity)}/>`;

/** A rectangle with rounded corners. */
export const round = (x: number, y: number, width: number, height: number, radius: number, fill: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;

export const ellipse = (x: number, y: number, across: number, down: number, fill: string, opacity = 1): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${across}" ry="${down}" fill="${fill}"${opaque(opacity)}/>`;

/** Defines a gradient from top to bottom. */
export const gradient = (id: string, ...colours: readonly string[]): string => {
  const stops = colours.map(
    (colour, index) => `<stop offset="${index / (colours.length - 1)}" stop-color="${colour}"/>`,
  );
  return `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops.join('')}</linearGradient>`;
};

/** Defines a gradient from the center to transparent. */
export const glow = (id: string, colour: string): string =>
  `<radialGradient id="${id}"><stop offset="0" stop-color="${colour}" stop-opacity="0.85"/><stop offset="0.35" stop-color="${colour}" stop-opacity="0.4"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`;

export const many = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');
