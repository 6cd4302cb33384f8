/** Elements of SVG. */

export const rect = (x: number, y: number, width: number, height: number, fill: string, more = ''): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`;

export const ellipse = (x: number, y: number, across: number, down: number, fill: string, more = ''): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${across}" ry="${down}" fill="${fill}" ${more}/>`;

export const polygon = (points: string, fill: string): string => `<polygon points="${points}" fill="${fill}"/>`;

export const line = (from: readonly [number, number], to: readonly [number, number], color: string, width: number) =>
  `<line x1="${from[0]}" y1="${from[1]}" x2="${to[0]}" y2="${to[1]}" stroke="${color}" stroke-width="${width}" stroke-linecap="round"/>`;

/** Defines a gradient from top to bottom. */
export const gradient = (id: string, ...colors: readonly string[]): string =>
  `<linearGradient id="${id}" x2="0" y2="1">${colors.map((color, index) => `<stop offset="${index / (colors.length - 1)}" stop-color="${color}"/>`).join('')}</linearGradient>`;

export const many = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');
