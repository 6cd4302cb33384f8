/** Draws places, as SVG on a canvas whose shorter side is 100; the ground begins at the horizon. */
import type { FrameSize } from '../image/frame-size.ts';
import { type SeededRandom, seededRandom } from '../image/seeded-random.ts';
import type { Light } from './lights.ts';
import type { PlaceName } from './scenery.ts';
import { ellipse, gradient, line, many, polygon, rect } from './svg.ts';

type Draw = (canvas: FrameSize, light: Light, random: SeededRandom) => string;

interface Place {
  readonly draw: Draw;
  /** Whether the place is outdoors, in front of a sky with sun or moon. */
  readonly isOutside: boolean;
}

/** The height of the horizon as a share of the canvas. */
const horizon = 0.6;

const ridge = ({ width, height }: FrameSize, top: number, rough: number, fill: string, random: SeededRandom): string =>
  polygon(
    `0,${height} ${many(10, (n) => `${(n / 9) * width},${(top - random.between(0, rough)) * height} `)}${width},${height}`,
    fill,
  );

const ground = ({ width: w, height: h }: FrameSize, ...colors: readonly string[]): string =>
  `${gradient('ground', ...colors)}${rect(0, horizon * h, w, (1 - horizon) * h, 'url(#ground)')}`;

const sea: Draw = ({ width: w, height: h }, { far, near, sun }, random) => {
  const waves = many(70, () => {
    const depth = random.next();
    const across = (0.03 + 0.12 * depth) * w;
    return ellipse(random.next() * w, (horizon + 0.4 * depth) * h, across, 0.004 * h, sun, 'opacity="0.35"');
  });
  return `${ground({ width: w, height: h }, far, near)}${waves}`;
};

const lighthouse: Draw = (canvas, light, random) => {
  const { width: w, height: h } = canvas;
  const { near, sun } = light;
  const [x, foot] = [0.74 * w, 0.64 * h];
  const stripes = many(5, (n) => rect(x - 4.5, foot - 8.8 * (n + 1), 9, 9, n % 2 ? '#f4f1ea' : '#c4423a'));
  const beam = polygon(`${x},${foot - 47} 0,${foot - 65} 0,${foot - 42}`, `${sun}66`);
  return `${sea(canvas, light, random)}${beam}${ellipse(x, foot + 5, 30, 9, near)}${stripes}${rect(x - 3, foot - 51, 6, 7, sun)}${ellipse(x, foot - 51, 4, 2.5, '#7c2a26')}`;
};

const beach: Draw = (canvas, light, random) => {
  const { width: w, height: h } = canvas;
  const sand = `<path d="M0 ${0.76 * h} Q ${0.35 * w} ${0.68 * h} ${w} ${0.74 * h} V ${h} H 0 Z" fill="#ecd9a4"/><path d="M0 ${0.75 * h} Q ${0.35 * w} ${0.67 * h} ${w} ${0.73 * h}" fill="none" stroke="#ffffff" stroke-width="1.4" opacity="0.8"/>`;
  const [x, foot] = [0.9 * w, 0.75 * h];
  const leaves = many(7, (n) => {
    const angle = (Math.PI * (n + 0.3)) / 7;
    const [tipX, tipY] = [x - 2 + 17 * Math.cos(angle), foot - 39 - 9 * Math.sin(angle) + 8];
    return `<path d="M${x - 2} ${foot - 39} Q ${(x + tipX) / 2} ${foot - 52} ${tipX} ${tipY}" stroke="#3c8f4b" stroke-width="3.4" fill="none" stroke-linecap="round"/>`;
  });
  const palm = `<path d="M${x} ${foot} Q ${x + 4} ${foot - 20} ${x - 2} ${foot - 39}" stroke="#8a6239" stroke-width="3" fill="none"/>${leaves}`;
  return sea(canvas, light, random) + sand + palm;
};

const river: Draw = (canvas, { far, near, sky }, random) => {
  const { width: w, height: h } = canvas;
  const water = `<path d="M${0.45 * w} ${0.62 * h} C ${0.7 * w} ${0.72 * h} ${0.05 * w} ${0.82 * h} ${0.2 * w} ${h} H ${0.85 * w} C ${0.7 * w} ${0.84 * h} ${0.75 * w} ${0.72 * h} ${0.52 * w} ${0.62 * h} Z" fill="${sky[1]}"/>`;
  return ridge(canvas, 0.6, 0.12, far, random) + ground(canvas, near, '#5f9d4e') + water;
};

const desert: Draw = (canvas, { far }, random) => {
  const { width: w, height: h } = canvas;
  const dune = (top: number, bend: number, fill: string) =>
    `<path d="M0 ${top * h} Q ${random.between(0.2, 0.8) * w} ${(top - bend) * h} ${w} ${top * h} V ${h} H 0 Z" fill="${fill}"/>`;
  return (
    ridge(canvas, 0.6, 0.06, far, random) +
    dune(0.62, 0.1, '#dba864') +
    dune(0.72, 0.14, '#e8bd78') +
    dune(0.86, 0.1, '#f0cd8e')
  );
};

const snowfield: Draw = (canvas, _, random) =>
  ridge(canvas, 0.62, 0.22, '#b9cfe2', random) +
  ground(canvas, '#eaf3fa', '#cfe0ee') +
  ridge(canvas, 0.8, 0.06, '#ffffff', random);

const mountains: Draw = (canvas, { far, near }, random) =>
  ridge(canvas, 0.6, 0.34, far, random) + ridge(canvas, 0.68, 0.16, near, random) + ground(canvas, near, '#3f6d45');

const city: Draw = (canvas, { far, near, sun }, random) => {
  const { width: w, height: h } = canvas;
  const houses = many(26, (n) => {
    const [wide, tall, x] = [
      random.between(0.06, 0.12) * w,
      random.between(0.16, 0.48) * h,
      random.between(-0.05, 1) * w,
    ];
    const foot = 0.74 * h;
    const windows = many(14, () =>
      rect(x + random.between(0.1, 0.8) * wide, foot - random.between(0.08, 0.95) * tall, 0.1 * wide, 0.012 * h, sun),
    );
    return rect(x, foot - tall, wide, tall, n < 13 ? far : near) + windows;
  });
  return `${houses}${rect(0, 0.74 * h, w, 0.26 * h, '#5b6068')}${rect(0, 0.74 * h, w, 0.03 * h, '#a7abb0')}${many(8, (n) => rect((n / 8) * w, 0.88 * h, 0.07 * w, 0.012 * h, '#f2e9c4'))}`;
};

const tree = (x: number, foot: number, tall: number, fill: string): string =>
  polygon(`${x},${foot - tall} ${x - 0.28 * tall},${foot} ${x + 0.28 * tall},${foot}`, fill);

const woods: Draw = (canvas, { far, near }, random) => {
  const trees = many(30, (n) => {
    const foot = (horizon + 0.02 + 0.005 * n) * canvas.height;
    return tree(random.next() * canvas.width, foot, (0.2 + 0.008 * n) * canvas.height, n < 14 ? far : near);
  });
  return ground(canvas, near, '#4c7a45') + trees;
};

const farm: Draw = (canvas, { far }, random) => {
  const { width: w, height: h } = canvas;
  const rows = many(7, (n) => line([w / 2, horizon * h], [(n - 2.5) * 0.35 * w, h], '#7fb24d', 0.8));
  const grass = many(60, () => {
    const [x, y] = [random.next() * w, random.between(0.66, 0.99) * h];
    return line([x, y], [x + random.between(-1, 1), y - 2.4], '#5c9a3c', 0.5);
  });
  return ridge(canvas, 0.6, 0.1, far, random) + ground(canvas, '#a6cf63', '#6da64a') + rows + grass;
};

const garden: Draw = ({ width: w, height: h }, _, random) => {
  const bushes = many(16, (n) =>
    ellipse((n / 15) * w, 0.6 * h, random.between(10, 17), random.between(10, 16), n % 2 ? '#4e9a4a' : '#3f8543'),
  );
  const flowers = many(40, () =>
    ellipse(
      random.next() * w,
      random.between(0.68, 0.98) * h,
      1.3,
      1.3,
      random.pick(['#f7d154', '#f28ab2', '#ffffff']),
    ),
  );
  return `${bushes}${ground({ width: w, height: h }, '#8acb5c', '#4f9a3f')}${flowers}`;
};

const road: Draw = (canvas, light, random) => {
  const { width: w, height: h } = canvas;
  const lane = polygon(
    `${0.47 * w},${horizon * h} ${0.53 * w},${horizon * h} ${0.95 * w},${h} ${0.05 * w},${h}`,
    '#565b63',
  );
  const marks = many(6, (n) => {
    const y = (horizon + 0.02 + 0.011 * n * (n + 1)) * h;
    return rect(0.5 * w - 0.2 * (n + 1), y, 0.4 * (n + 1), 0.006 * h * (n + 1), '#f5efd8');
  });
  return farm(canvas, light, random) + lane + marks;
};

const space: Draw = ({ width: w, height: h }, _, random) => {
  const stars = many(140, () =>
    ellipse(random.next() * w, random.next() * h, random.between(0.1, 0.5), random.between(0.1, 0.5), '#ffffff'),
  );
  const glow = `<radialGradient id="nebula"><stop stop-color="#8a4fd0" stop-opacity="0.65"/><stop offset="1" stop-color="#8a4fd0" stop-opacity="0"/></radialGradient>`;
  const planet = `${ellipse(0.84 * w, 0.2 * h, 9, 9, '#d98f5c')}<ellipse cx="${0.84 * w}" cy="${0.2 * h}" rx="15" ry="3" fill="none" stroke="#ecd2ab" stroke-width="1.3" transform="rotate(-18 ${0.84 * w} ${0.2 * h})"/>`;
  return `${gradient('space', '#05061a', '#171344')}${rect(0, 0, w, h, 'url(#space)')}${glow}${ellipse(0.3 * w, 0.4 * h, 0.5 * w, 0.35 * h, 'url(#nebula)')}${stars}${planet}`;
};

const underwater: Draw = ({ width: w, height: h }, _, random) => {
  const rays = many(5, (n) =>
    polygon(
      `${(0.1 + 0.2 * n) * w},0 ${(0.16 + 0.2 * n) * w},0 ${(0.3 + 0.2 * n) * w},${h} ${(0.12 + 0.2 * n) * w},${h}`,
      '#ffffff18',
    ),
  );
  const weeds = many(14, () => {
    const [x, tall] = [random.next() * w, random.between(8, 24)];
    return `<path d="M${x} ${h} q 4 ${-tall / 2} 0 ${-tall} q -4 ${-tall / 3} 1 ${-tall / 2}" stroke="${random.pick(['#2f8f6b', '#c8577a', '#e58f4a'])}" stroke-width="2.4" fill="none" stroke-linecap="round"/>`;
  });
  const bubbles = many(26, () => ellipse(random.next() * w, random.next() * h, 0.9, 0.9, '#ffffff', 'opacity="0.4"'));
  return `${gradient('deep', '#3fb3d9', '#12507f', '#0a2f57')}${rect(0, 0, w, h, 'url(#deep)')}${rays}${ellipse(w / 2, 1.02 * h, 0.8 * w, 0.14 * h, '#d8c48e')}${weeds}${bubbles}`;
};

const stage: Draw = ({ width: w, height: h }) => {
  const folds = many(16, (n) => rect((n / 16) * w, 0, w / 32, h, '#7d1a2c'));
  const beams = [0.15, 0.85].map((x) =>
    polygon(`${x * w},0 ${0.25 * w},${0.9 * h} ${0.75 * w},${0.9 * h}`, '#fff3c22e'),
  );
  return `${rect(0, 0, w, h, '#9c2438')}${folds}${rect(0, 0.72 * h, w, 0.28 * h, '#7a5230')}${beams.join('')}`;
};

const stadium: Draw = ({ width: w, height: h }, _, random) => {
  const lamps = [0.08, 0.92].map(
    (x) => rect(x * w - 0.6, 0.06 * h, 1.2, 0.4 * h, '#6a7078') + rect(x * w - 7, 0.03 * h, 14, 6, '#fdfbe6'),
  );
  const crowd = many(420, (n) => {
    const y = 0.26 + 0.036 * (n % 9);
    const color = random.pick(['#e5534b', '#f6d04d', '#ffffff', '#4c8de0', '#57b06a', '#e8b48c']);
    return ellipse(random.next() * w, y * h, 1.1, 1.3, color);
  });
  const stripes = many(6, (n) => polygon(stripe(n, w, h), n % 2 ? '#4fa14a' : '#5bb356'));
  const goal = `<path d="M${0.4 * w} ${0.66 * h}V${0.52 * h}H${0.6 * w}V${0.66 * h}" fill="#ffffff40" stroke="#ffffff" stroke-width="1.2"/>`;
  return `${lamps.join('')}<path d="M0 ${0.24 * h}Q${0.5 * w} ${0.18 * h} ${w} ${0.24 * h}V${0.62 * h}H0Z" fill="#4a515c"/>${crowd}${rect(0, 0.58 * h, w, 0.05 * h, '#2f6fb5')}${stripes}${goal}${ellipse(0.5 * w, 0.86 * h, 0.3 * w, 0.07 * h, 'none', 'stroke="#ffffffaa" stroke-width="0.8"')}`;
};

/** A stripe of a lawn that is cut in stripes towards the horizon. */
const stripe = (n: number, w: number, h: number): string => {
  const [from, to] = [n / 6, (n + 1) / 6];
  const near = (share: number) => (1.6 * share - 0.3) * w;
  return `${from * w},${0.62 * h} ${to * w},${0.62 * h} ${near(to)},${h} ${near(from)},${h}`;
};

/** A room: its wall from top to bottom, the floor or table in front, and the colors of the objects on the wall. */
type Room = readonly [wall: readonly [string, string], front: string, things: readonly [string, string, string]];

/** A room whose objects are always in the same places. */
const roomOf = (name: string, [wall, front, things]: Room): Place => {
  const draw: Draw = () => {
    const random = seededRandom(name);
    const shelves = many(5, (n) => {
      const height = random.between(8, 26);
      return `<rect x="${3 + 20 * n}%" y="${52 - height}%" width="${random.between(8, 17)}%" height="${height}%" rx="2" fill="${random.pick(things)}"/>`;
    });
    return `${gradient('wall', ...wall)}<rect width="100%" height="100%" fill="url(#wall)"/>${shelves}<rect y="70%" width="100%" height="30%" fill="${front}"/><rect y="70%" width="100%" height="1.2%" fill="#ffffff" opacity="0.25"/>`;
  };
  return { draw, isOutside: false };
};

const outside = (draw: Draw): Place => ({ draw, isOutside: true });
const inside = (draw: Draw): Place => ({ draw, isOutside: false });

export const places: Readonly<Record<PlaceName, Place>> = {
  lighthouse: outside(lighthouse),
  underwater: inside(underwater),
  sea: outside(sea),
  beach: outside(beach),
  river: outside(river),
  desert: outside(desert),
  snowfield: outside(snowfield),
  mountains: outside(mountains),
  city: outside(city),
  woods: outside(woods),
  farm: outside(farm),
  garden: outside(garden),
  road: outside(road),
  space: inside(space),
  stage: inside(stage),
  stadium: outside(stadium),
  kitchen: roomOf('kitchen', [['#f3f7f2', '#dfe8e2'], '#a06c3f', ['#cfeaf6', '#d9824b', '#8aa05c']]),
  bathroom: roomOf('bathroom', [['#d9e5e3', '#c5d6d4'], '#dcd5ca', ['#f4fafa', '#5f8f6d', '#ffffff']]),
  bedroom: roomOf('bedroom', [['#e8c9ad', '#c99e7d'], '#c77f6b', ['#8d5b45', '#fffaf3', '#fff0cc']]),
  office: roomOf('office', [['#e9edf0', '#cfd6dc'], '#e6e1db', ['#bfe0f5', '#95abbd', '#2d353d']]),
  gym: roomOf('gym', [['#323940', '#1b1f23'], '#202428', ['#4a5560', '#c43d3d', '#d8ff6b']]),
  cafe: roomOf('cafe', [['#8f4c35', '#5a2f22'], '#573521', ['#22302d', '#ffd58a', '#7a5230']]),
  studio: roomOf('studio', [['#fbfaf7', '#e2ddd5'], '#ece8e1', ['#ffffff', '#d9d4cb', '#f4f1ea']]),
  room: roomOf('room', [['#dfe6ea', '#c6d2d8'], '#b5835a', ['#f1d9a8', '#7fa6b8', '#c98b6b']]),
};

/** The background of a subject if the prompt names no place: plain, in a random hue. */
export const backdrop: Draw = ({ width: w, height: h }, _, random) => {
  const hue = random.between(0, 360);
  const color = (lightness: number) => `hsl(${hue},45%,${lightness}%)`;
  return `${gradient('backdrop', color(88), color(76))}${rect(0, 0, w, h, 'url(#backdrop)')}${ellipse(w / 2, 0.86 * h, 0.75 * w, 0.2 * h, color(70))}`;
};

/**
 * Abstract art for a prompt that names no place or object: layers of waves in similar hues in front of lights in the
 * opposite hue.
 */
export const abstractArt: Draw = ({ width: w, height: h }, _, random) => {
  const hue = random.between(0, 360);
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
  return `${glow}${gradient('art', color(-30, 22), color(20, 52))}${rect(0, 0, w, h, 'url(#art)')}${lit}${waves}`;
};
