/** Draws the place that a prompt or a setting names, in the light that it names, or else abstract art. */
import sharp from 'sharp';
import type { FrameSize } from './frame-size.ts';
import { type Image, imageOf } from './image.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

interface Light {
  readonly words: RegExp;
  readonly sky: readonly [string, string, string];
  readonly sun: string;
  readonly far: string;
  readonly near: string;
}

const day: Light = {
  words: /./,
  sky: ['#3f93d8', '#8cc8ee', '#e6f5fb'],
  sun: '#fffbe0',
  far: '#6f9aa8',
  near: '#3f7d4c',
};
const sunset = /\b(por do sol|entardecer|anoitecer|crepusculo|sunset|dusk|evening)\b/;
/** Words are matched in lower case and without accents. */
const lights: readonly Light[] = [
  {
    words: /\b(noites?|noturn\w*|madrugada|luar?|estrelas?|night|moon\w*|stars?|midnight)\b/,
    sky: ['#070b24', '#1a2656', '#46558f'],
    sun: '#f5f2dc',
    far: '#222d57',
    near: '#0b1129',
  },
  { words: sunset, sky: ['#4a2a6b', '#e0567a', '#ffb457'], sun: '#fff0b8', far: '#7d3a68', near: '#2f1a3d' },
  {
    words: /\b(amanhec\w*|aurora|alvorada|manha|nascer do sol|dawn|sunrise|morning)\b/,
    sky: ['#7aa6d8', '#f3b7b1', '#ffe1a6'],
    sun: '#fff7d6',
    far: '#8f7f9f',
    near: '#4a4a63',
  },
];

/** Draws on a canvas whose shorter side is 100. */
type Draw = (canvas: FrameSize, light: Light, random: SeededRandom, sun: number) => string;

const rect = (x: number, y: number, width: number, height: number, fill: string, more = ''): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`;
const ellipse = (x: number, y: number, across: number, down: number, fill: string, more = ''): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${across}" ry="${down}" fill="${fill}" ${more}/>`;
const polygon = (points: string, fill: string): string => `<polygon points="${points}" fill="${fill}"/>`;
/** Defines a gradient from top to bottom. */
const gradient = (id: string, ...colors: readonly string[]): string =>
  `<linearGradient id="${id}" x2="0" y2="1">${colors.map((color, index) => `<stop offset="${index / (colors.length - 1)}" stop-color="${color}"/>`).join('')}</linearGradient>`;
const many = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

const ridge = ({ width, height }: FrameSize, top: number, rough: number, fill: string, random: SeededRandom): string =>
  polygon(
    `0,${height} ${many(10, (n) => `${(n / 9) * width},${(top - random.between(0, rough)) * height} `)}${width},${height}`,
    fill,
  );

const sea: Draw = ({ width: w, height: h }, { far, near, sun }, random) => {
  const waves = many(70, () => {
    const depth = random.next();
    return ellipse(
      random.next() * w,
      (0.6 + 0.4 * depth) * h,
      (0.03 + 0.12 * depth) * w,
      0.004 * h,
      sun,
      'opacity="0.35"',
    );
  });
  return `${gradient('water', far, near)}${rect(0, 0.58 * h, w, 0.42 * h, 'url(#water)')}${waves}`;
};

const lighthouse: Draw = ({ width: w, height: h }, { near, sun }) => {
  const [x, foot] = [0.74 * w, 0.64 * h];
  const stripes = many(5, (n) => rect(x - 4.5, foot - 8.8 * (n + 1), 9, 9, n % 2 ? '#f4f1ea' : '#c4423a'));
  const beam = polygon(`${x},${foot - 47} 0,${foot - 65} 0,${foot - 42}`, `${sun}66`);
  return `${beam}${ellipse(x, foot + 5, 30, 9, near)}${stripes}${rect(x - 3, foot - 51, 6, 7, sun)}${ellipse(x, foot - 51, 4, 2.5, '#7c2a26')}`;
};

const mountains: Draw = (canvas, { far, near }, random) =>
  ridge(canvas, 0.62, 0.34, far, random) +
  ridge(canvas, 0.78, 0.2, near, random) +
  ridge(canvas, 0.95, 0.08, '#0d1a1c', random);

const city: Draw = ({ width: w, height: h }, { far, near, sun }, random) =>
  many(26, (n) => {
    const [wide, tall, x] = [
      random.between(0.06, 0.12) * w,
      random.between(0.18, 0.5) * h,
      random.between(-0.05, 1) * w,
    ];
    const windows = many(18, () =>
      rect(x + random.between(0.1, 0.8) * wide, h - random.between(0.08, 0.95) * tall, 0.1 * wide, 0.012 * h, sun),
    );
    return rect(x, h - tall, wide, tall, n < 13 ? far : near) + windows;
  });

const woods: Draw = (canvas, { far, near }, random) => {
  const trees = many(34, (n) => {
    const [x, foot, tall] = [
      random.next() * canvas.width,
      (0.7 + 0.008 * n) * canvas.height,
      (0.14 + 0.006 * n) * canvas.height,
    ];
    return polygon(`${x},${foot - tall} ${x - 0.28 * tall},${foot} ${x + 0.28 * tall},${foot}`, n < 14 ? far : near);
  });
  return ridge(canvas, 0.72, 0.08, near, random) + trees;
};

const garden: Draw = ({ width: w, height: h }, _, random) => {
  const bushes = many(16, (n) =>
    ellipse((n / 15) * w, 0.66 * h, random.between(10, 17), random.between(10, 16), n % 2 ? '#4e9a4a' : '#3f8543'),
  );
  const flowers = many(40, () =>
    ellipse(
      random.next() * w,
      random.between(0.72, 0.98) * h,
      1.4,
      1.4,
      random.pick(['#f7d154', '#f28ab2', '#ffffff']),
    ),
  );
  return `${bushes}${gradient('grass', '#8acb5c', '#4f9a3f')}${rect(0, 0.68 * h, w, 0.32 * h, 'url(#grass)')}${flowers}`;
};

/** A room: its wall from top to bottom, the table or floor in front, and the colors of the objects on the wall. */
type Room = readonly [
  words: RegExp,
  wall: readonly [string, string],
  front: string,
  things: readonly [string, string, string],
];

const rooms: readonly Room[] = [
  [/\b(cozinhas?|kitchens?)\b/, ['#f3f7f2', '#dfe8e2'], '#a06c3f', ['#cfeaf6', '#d9824b', '#8aa05c']],
  [/\b(banheiros?|spa|bathrooms?)\b/, ['#d9e5e3', '#c5d6d4'], '#dcd5ca', ['#f4fafa', '#5f8f6d', '#ffffff']],
  [/\b(quartos?|bedrooms?)\b/, ['#e8c9ad', '#c99e7d'], '#c77f6b', ['#8d5b45', '#fffaf3', '#fff0cc']],
  [/\b(escritorios?|offices?)\b/, ['#e9edf0', '#cfd6dc'], '#e6e1db', ['#bfe0f5', '#95abbd', '#2d353d']],
  [/\b(academias?|gyms?)\b/, ['#323940', '#1b1f23'], '#202428', ['#4a5560', '#c43d3d', '#d8ff6b']],
  [/\b(cafeterias?|coffee shops?)\b/, ['#8f4c35', '#5a2f22'], '#573521', ['#22302d', '#ffd58a', '#7a5230']],
  [/\b(estudios?|studios?)\b/, ['#fbfaf7', '#e2ddd5'], '#ece8e1', ['#ffffff', '#d9d4cb', '#f4f1ea']],
];

/** A room whose objects are always in the same places. */
const inRoom = ([words, wall, front, things]: Room): string => {
  const random = seededRandom(words.source);
  const shelves = many(5, (n) => {
    const height = random.between(8, 30);
    return `<rect x="${3 + 20 * n}%" y="${60 - height}%" width="${random.between(8, 17)}%" height="${height}%" rx="2" fill="${random.pick(things)}"/>`;
  });
  return `${gradient('wall', ...wall)}<rect width="100%" height="100%" fill="url(#wall)"/>${shelves}<rect y="70%" width="100%" height="30%" fill="${front}"/>`;
};

/** Layers of waves in neighboring hues before lights in an opposite one. */
const abstract: Draw = ({ width: w, height: h }, _, random, sun) => {
  const hue = random.between(0, 360) + 90 * sun;
  const color = (turn: number, lightness: number) => `hsl(${(hue + turn + 360) % 360},62%,${lightness}%)`;
  const glow = `<radialGradient id="glow"><stop stop-color="${color(random.between(150, 210), 82)}"/><stop offset="1" stop-color="${color(180, 70)}" stop-opacity="0"/></radialGradient>`;
  const lit = many(6, () =>
    ellipse(
      random.next() * w,
      random.between(0, 0.7) * h,
      random.between(14, 50),
      random.between(14, 50),
      'url(#glow)',
      'opacity="0.7"',
    ),
  );
  const waves = many(9, (n) => {
    const [y, bend, fill] = [
      (0.15 + 0.1 * n + random.between(-0.06, 0.06)) * h,
      random.between(-0.25, 0.25) * h,
      `wave${n}`,
    ];
    return `${gradient(fill, color(12 * n, 66 - 5 * n), color(12 * n + 30, 30 - 2 * n))}<path d="M0 ${y} C ${0.35 * w} ${y - bend} ${0.65 * w} ${y + bend} ${w} ${y - 0.3 * bend} V ${h} H 0 Z" fill="url(#${fill})" opacity="0.82"/>`;
  });
  return `${glow}${gradient('ground', color(-30, 22), color(20, 52))}${rect(0, 0, w, h, 'url(#ground)')}${lit}${waves}`;
};

const outdoors: readonly (readonly [RegExp, ...Draw[]])[] = [
  [/\b(farol|lighthouse)\b/, sea, lighthouse],
  [/\b(mar|oceano|ondas?|praias?|barcos?|sea|ocean|waves?|beach|boats?)\b/, sea],
  [/\b(montanhas?|serras?|vales?|mountains?|valleys?|hills?)\b/, mountains],
  [/\b(cidades?|ruas?|predios?|city|streets?|skyline|skyscrapers?)\b/, city],
  [/\b(florestas?|bosques?|arvores?|forests?|woods?|trees?)\b/, woods],
  [/\b(jardi(m|ns)|parques?|gardens?|parks?)\b/, garden],
];
/** The elements of the scene; `sun` is how far the sun has moved across the sky, from 0 to 1. */
const elementsOf = (words: string, canvas: FrameSize, random: SeededRandom, sun: number): string => {
  const light = lights.find((candidate) => candidate.words.test(words)) ?? day;
  const height = sunset.test(words) ? 1 - sun : sun;
  const lit = `<rect width="100%" height="100%" fill="${light.sun}" opacity="${0.2 * height}"/>`;
  const [, ...outside] = outdoors.find(([known]) => known.test(words)) ?? [];
  const inside = rooms.find(([known]) => known.test(words));
  if (outside.length === 0) return (inside ? inRoom(inside) : abstract(canvas, light, random, sun)) + lit;
  const { width: w, height: h } = canvas;
  const disc = ellipse((0.22 + 0.28 * height) * w, (0.5 - 0.34 * height) * h, 9, 9, light.sun);
  const scene = outside.map((draw) => draw(canvas, light, random, sun)).join('');
  return `${gradient('sky', ...light.sky)}${rect(0, 0, w, h, 'url(#sky)')}${disc}${scene}${lit}`;
};

/** The scene, the same for the same words and seed. */
export const drawnScene = (text: string, seed: string, { width, height }: FrameSize, sun = 0): Promise<Image> => {
  const words = text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('-', ' ').toLowerCase();
  const unit = Math.min(width, height) / 100;
  const canvas = { width: width / unit, height: height / unit };
  const random = seededRandom(seed);
  // Scenes are mirrored and tinted at random, so that two drawings of the same place differ everywhere.
  const flip = random.next() < 0.5 ? '' : `translate(${canvas.width} 0) scale(-1 1)`;
  const tint = `<rect width="100%" height="100%" fill="hsl(${random.between(0, 360)},70%,50%)" opacity="0.1"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${canvas.width} ${canvas.height}"><g transform="${flip}">${elementsOf(words, canvas, random, sun)}</g>${tint}</svg>`;
  return imageOf(sharp(Buffer.from(svg)).flatten({ background: '#808080' }), false);
};
