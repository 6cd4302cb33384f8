/** Draws simple landscapes for prompts that mention one: sea, mountains, city or woods. */
import sharp from 'sharp';
import { ellipse, gradient, many, rect } from '../advert/shapes.ts';
import { type Image, imageOf } from '../image/image.ts';
import { type SeededRandom, seededRandom } from '../image/seeded-random.ts';
import type { FrameSize } from '../video/frame.ts';

interface Light {
  readonly words: RegExp;
  readonly sky: readonly [string, string, string];
  readonly sun: string;
  readonly far: string;
  readonly near: string;
  readonly isSetting?: true;
}

const day: Light = {
  words: /./,
  sky: ['#3f93d8', '#8cc8ee', '#e6f5fb'],
  sun: '#fffbe0',
  far: '#6f9aa8',
  near: '#3f7d4c',
};
const lights: readonly Light[] = [
  {
    words: /\b(noites?|noturn\w*|madrugada|luar?|estrelas?|night|moon\w*|stars?|midnight)\b/,
    sky: ['#070b24', '#1a2656', '#46558f'],
    sun: '#f5f2dc',
    far: '#222d57',
    near: '#0b1129',
  },
  {
    words: /\b(por do sol|entardecer|anoitecer|crepusculo|sunset|dusk|evening)\b/,
    sky: ['#4a2a6b', '#e0567a', '#ffb457'],
    sun: '#fff0b8',
    far: '#7d3a68',
    near: '#2f1a3d',
    isSetting: true,
  },
  {
    words: /\b(amanhec\w*|aurora|alvorada|manha|nascer do sol|dawn|sunrise|morning)\b/,
    sky: ['#7aa6d8', '#f3b7b1', '#ffe1a6'],
    sun: '#fff7d6',
    far: '#8f7f9f',
    near: '#4a4a63',
  },
];

type Draw = (size: FrameSize, light: Light, random: SeededRandom) => string;

const ridge = (
  { width, height }: FrameSize,
  top: number,
  rough: number,
  fill: string,
  random: SeededRandom,
): string => {
  const points = Array.from(
    { length: 10 },
    (_, n) => `${(n / 9) * width},${(top - random.between(0, rough)) * height}`,
  );
  return `<polygon points="0,${height} ${points.join(' ')} ${width},${height}" fill="${fill}"/>`;
};

const sea: Draw = ({ width: w, height: h }, { far, near, sun }, random) => {
  const waves = many(70, () => {
    const depth = random.next();
    return ellipse(
      random.next() * w,
      (0.6 + 0.4 * depth) * h,
      (0.03 + 0.12 * depth) * w,
      (0.001 + 0.004 * depth) * h,
      sun,
      0.35,
    );
  });
  return `<defs>${gradient('water', far, near)}</defs>${rect(0, 0.58 * h, w, 0.42 * h, 'url(#water)')}${waves}`;
};

const lighthouse: Draw = ({ width: w, height: h }, { near, sun }) => {
  const [u, x, foot] = [Math.min(w, h), 0.74 * w, 0.64 * h];
  const [tall, wide] = [0.44 * u, 0.055 * u];
  const tower = (from: number, to: number, fill: string) => {
    const [low, high] = [wide * (1 - 0.4 * from), wide * (1 - 0.4 * to)];
    return `<polygon points="${x - low},${foot - from * tall} ${x + low},${foot - from * tall} ${x + high},${foot - to * tall} ${x - high},${foot - to * tall}" fill="${fill}"/>`;
  };
  const stripes = many(5, (n) => tower(n * 0.2, (n + 1) * 0.2, n % 2 ? '#f4f1ea' : '#c4423a'));
  const lamp = foot - 1.07 * tall;
  return `<polygon points="${x},${lamp} 0,${lamp - 0.16 * h} 0,${lamp + 0.02 * h}" fill="${sun}" opacity="0.4"/>${ellipse(x, foot + 0.05 * u, 0.3 * u, 0.09 * u, near)}${stripes}${rect(x - 0.5 * wide, lamp - 0.04 * u, wide, 0.07 * u, sun)}${ellipse(x, lamp - 0.04 * u, 0.6 * wide, 0.025 * u, '#7c2a26')}`;
};

const mountains: Draw = (size, { far, near }, random) =>
  ridge(size, 0.62, 0.34, far, random) +
  ridge(size, 0.78, 0.2, near, random) +
  ridge(size, 0.95, 0.08, '#0d1a1c', random);

const city: Draw = ({ width: w, height: h }, { far, near, sun }, random) =>
  many(26, (n) => {
    const [wide, tall, x] = [
      random.between(0.06, 0.12) * w,
      random.between(0.18, 0.5) * h,
      random.between(-0.05, 1) * w,
    ];
    const windows = many(18, () =>
      rect(
        x + random.between(0.1, 0.8) * wide,
        h - random.between(0.08, 0.95) * tall,
        0.1 * wide,
        0.012 * h,
        sun,
        0.85,
      ),
    );
    return rect(x, h - tall, wide, tall, n < 13 ? far : near) + windows;
  });

const woods: Draw = (size, { far, near }, random) => {
  const { width: w, height: h } = size;
  const trees = many(34, (n) => {
    const [x, foot, tall] = [random.next() * w, (0.7 + 0.008 * n) * h, (0.14 + 0.006 * n) * h];
    return `<polygon points="${x},${foot - tall} ${x - 0.28 * tall},${foot} ${x + 0.28 * tall},${foot}" fill="${n < 14 ? far : near}"/>`;
  });
  return ridge(size, 0.72, 0.08, near, random) + trees;
};

const places: readonly { readonly words: RegExp; readonly draw: readonly Draw[] }[] = [
  { words: /\b(farol|lighthouse)\b/, draw: [sea, lighthouse] },
  { words: /\b(mar|oceano|ondas?|praias?|barcos?|sea|ocean|waves?|beach|boats?)\b/, draw: [sea] },
  { words: /\b(montanhas?|serras?|vales?|mountains?|valleys?|hills?)\b/, draw: [mountains] },
  { words: /\b(cidades?|ruas?|predios?|city|streets?|skyline|skyscrapers?)\b/, draw: [city] },
  { words: /\b(florestas?|bosques?|arvores?|forests?|woods?|trees?)\b/, draw: [woods] },
];

/**
 * The landscape at the beginning and at the end of a video, with the sun moved; none if the prompt mentions no
 * landscape.
 */
export const promptLandscapes = async (prompt: string, seed: string, size: FrameSize): Promise<readonly Image[]> => {
  const words = prompt.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const place = places.find((candidate) => candidate.words.test(words));
  if (!place) return [];
  const light = lights.find((candidate) => candidate.words.test(words)) ?? day;
  const { width: w, height: h } = size;
  const drawn = (sunX: number, sunY: number, brightness: number) => {
    const random = seededRandom(seed);
    const sun = ellipse(sunX * w, sunY * h, 0.09 * Math.min(w, h), 0.09 * Math.min(w, h), light.sun);
    const scene = place.draw.map((draw) => draw(size, light, random)).join('');
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}"><defs>${gradient('sky', ...light.sky)}</defs>${rect(0, 0, w, h, 'url(#sky)')}${sun}${scene}${rect(0, 0, w, h, light.sun, brightness)}</svg>`;
    return imageOf(sharp(Buffer.from(svg)).flatten({ background: '#808080' }), false);
  };
  const [low, high] = await Promise.all([drawn(0.22, 0.5, 0), drawn(0.5, 0.16, 0.2)]);
  return light.isSetting ? [high, low] : [low, high];
};
