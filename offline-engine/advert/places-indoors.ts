/** Drawings of indoor settings. */
import { type DrawPlace, ellipse, glow, gradient, many, rect, round } from './shapes.ts';

const estudioClaro: DrawPlace = ({ width: w, height: h }) => {
  const u = Math.min(w, h);
  const box = (x: number) =>
    round(x - 0.15 * u, 0.08 * h, 0.3 * u, 0.26 * u, 0.03 * u, '#ffffff') +
    rect(x - 0.008 * u, 0.08 * h + 0.26 * u, 0.016 * u, h, '#b9b4ac');
  return `<defs>${gradient('wall', '#fbfaf7', '#e2ddd5')}${gradient('floor', '#d9d3ca', '#f3f0ea')}${glow('lamp', '#ffffff')}</defs>
${rect(0, 0, w, h, 'url(#wall)')}${ellipse(w / 2, 1.02 * h, 0.95 * w, 0.36 * h, 'url(#floor)')}
${box(0.06 * w)}${box(0.94 * w)}${ellipse(0.06 * w, 0.2 * h, 0.5 * u, 0.5 * u, 'url(#lamp)')}${ellipse(0.94 * w, 0.2 * h, 0.5 * u, 0.5 * u, 'url(#lamp)')}`;
};

const cozinha: DrawPlace = ({ width: w, height: h }) => {
  const u = Math.min(w, h);
  const tile = 0.11 * u;
  const jars = many(4, (n) =>
    round(
      0.62 * w + n * 0.085 * u,
      0.29 * h - 0.1 * u,
      0.065 * u,
      0.1 * u,
      0.012 * u,
      ['#d9824b', '#8aa05c', '#e5c46b', '#b65a44'][n] ?? '#888',
    ),
  );
  const planks = many(9, (n) => rect(0, 0.7 * h + (n * 0.3 * h) / 9, w, 0.004 * h, '#7c4c28', 0.5));
  return `<defs>${gradient('wood', '#b98250', '#8a5730')}${glow('sun', '#fff3cf')}<pattern id="tiles" width="${tile}" height="${tile}" patternUnits="userSpaceOnUse">${rect(0, 0, tile, tile, '#dfe8e2')}${round(0.02 * tile, 0.02 * tile, 0.96 * tile, 0.96 * tile, 0.05 * tile, '#f3f7f2')}</pattern></defs>
${rect(0, 0, w, h, 'url(#tiles)')}${round(0.08 * w, 0.1 * h, 0.36 * u, 0.44 * u, 0.02 * u, '#a97b4f')}${rect(0.08 * w + 0.02 * u, 0.1 * h + 0.02 * u, 0.32 * u, 0.4 * u, '#cfeaf6')}
${rect(0.08 * w + 0.17 * u, 0.1 * h, 0.02 * u, 0.44 * u, '#a97b4f')}${ellipse(0.08 * w + 0.18 * u, 0.1 * h + 0.2 * u, 0.7 * u, 0.7 * u, 'url(#sun)')}
${rect(0.56 * w, 0.29 * h, 0.44 * w, 0.025 * u, '#8f5f36')}${jars}${rect(0, 0.68 * h, w, 0.32 * h, 'url(#wood)')}${rect(0, 0.68 * h, w, 0.018 * h, '#d8a873')}${planks}`;
};

const banheiroSpa: DrawPlace = ({ width: w, height: h }) => {
  const u = Math.min(w, h);
  const slab = 0.34 * u;
  const leaf = (x: number, y: number, turn: number) =>
    `<path d="M0 0 C ${0.07 * u} ${-0.13 * u} ${0.03 * u} ${-0.28 * u} 0 ${-0.36 * u} C ${-0.03 * u} ${-0.28 * u} ${-0.07 * u} ${-0.13 * u} 0 0 Z" fill="#5f8f6d" transform="translate(${x} ${y}) rotate(${turn})"/>`;
  const towels = many(3, (n) =>
    round(
      0.06 * w,
      0.7 * h - (n + 1) * 0.055 * u,
      0.26 * u,
      0.05 * u,
      0.025 * u,
      ['#ffffff', '#cfe3de', '#f1e3d3'][n] ?? '#fff',
    ),
  );
  return `<defs>${gradient('stone', '#ebe6de', '#cfc8bc')}${glow('light', '#ffffff')}<pattern id="slabs" width="${2 * slab}" height="${slab}" patternUnits="userSpaceOnUse">${rect(0, 0, 2 * slab, slab, '#c5d6d4')}${rect(0.02 * slab, 0.02 * slab, 1.96 * slab, 0.96 * slab, '#d9e5e3')}</pattern></defs>
${rect(0, 0, w, h, 'url(#slabs)')}${ellipse(0.5 * w, 0.3 * h, 0.27 * u, 0.27 * u, '#b08d57')}${ellipse(0.5 * w, 0.3 * h, 0.255 * u, 0.255 * u, '#f4fafa')}${ellipse(0.5 * w, 0.3 * h, 0.6 * u, 0.6 * u, 'url(#light)')}
${rect(0, 0.7 * h, w, 0.3 * h, 'url(#stone)')}${rect(0, 0.7 * h, w, 0.014 * h, '#fffdf8')}${towels}
${[-38, -12, 14, 40].map((turn) => leaf(0.9 * w, 0.62 * h, turn)).join('')}${round(0.9 * w - 0.07 * u, 0.61 * h, 0.14 * u, 0.09 * h + 0.01 * u, 0.02 * u, '#f7f3ec')}`;
};

const quarto: DrawPlace = ({ width: w, height: h }) => {
  const u = Math.min(w, h);
  const pillow = (x: number, fill: string) => round(x, 0.56 * h, 0.3 * w, 0.13 * h, 0.05 * u, fill);
  return `<defs>${gradient('wall', '#e8c9ad', '#c99e7d')}${gradient('cover', '#f4ece2', '#d7c3ad')}${glow('lamp', '#ffdf9e')}</defs>
${rect(0, 0, w, h, 'url(#wall)')}${round(0.12 * w, 0.38 * h, 0.76 * w, 0.36 * h, 0.06 * u, '#8d5b45')}${many(7, (n) => rect(0.12 * w + ((n + 1) * 0.76 * w) / 8, 0.39 * h, 0.006 * u, 0.34 * h, '#70432f'))}
${pillow(0.18 * w, '#fffaf3')}${pillow(0.52 * w, '#fffaf3')}${round(0.4 * w, 0.6 * h, 0.2 * w, 0.1 * h, 0.04 * u, '#c77f6b')}
<path d="M0 ${0.72 * h} C ${0.3 * w} ${0.66 * h} ${0.7 * w} ${0.68 * h} ${w} ${0.72 * h} L ${w} ${h} L 0 ${h} Z" fill="url(#cover)"/>
<path d="M0 ${0.86 * h} C ${0.35 * w} ${0.8 * h} ${0.65 * w} ${0.9 * h} ${w} ${0.84 * h} L ${w} ${h} L 0 ${h} Z" fill="#c77f6b"/>
${rect(0.05 * w - 0.008 * u, 0.4 * h, 0.016 * u, 0.3 * h, '#5e4636')}<path d="M${0.05 * w - 0.1 * u} ${0.42 * h} L ${0.05 * w - 0.06 * u} ${0.42 * h - 0.15 * u} L ${0.05 * w + 0.06 * u} ${0.42 * h - 0.15 * u} L ${0.05 * w + 0.1 * u} ${0.42 * h} Z" fill="#fff0cc"/>
${ellipse(0.05 * w, 0.4 * h, 0.75 * u, 0.75 * u, 'url(#lamp)')}`;
};

const escritorio: DrawPlace = ({ width: w, height: h }) => {
  const u = Math.min(w, h);
  const towers = many(9, (n) =>
    rect(
      0.1 * w + (n * 0.8 * w) / 9,
      0.5 * h - (0.1 + 0.19 * ((n * 7) % 5) * 0.3) * h,
      (0.72 * w) / 9,
      0.5 * h,
      n % 2 ? '#a9bccb' : '#95abbd',
    ),
  );
  return `<defs>${gradient('wall', '#e9edf0', '#cfd6dc')}${gradient('sky', '#bfe0f5', '#edf7fc')}${gradient('desk', '#f6f4f1', '#d5cfc8')}</defs>
${rect(0, 0, w, h, 'url(#wall)')}${rect(0.1 * w, 0.08 * h, 0.8 * w, 0.48 * h, 'url(#sky)')}${towers}${many(4, (n) => rect(0.1 * w + (n * 0.8 * w) / 3 - 0.006 * u, 0.08 * h, 0.012 * u, 0.48 * h, '#4b5661'))}
${rect(0.08 * w, 0.06 * h, 0.84 * w, 0.02 * h, '#4b5661')}${rect(0.08 * w, 0.55 * h, 0.84 * w, 0.02 * h, '#4b5661')}${rect(0, 0.57 * h, w, 0.43 * h, '#c3ccd3')}
${rect(0, 0.7 * h, w, 0.3 * h, 'url(#desk)')}${rect(0, 0.7 * h, w, 0.012 * h, '#ffffff')}
${round(0.04 * w, 0.7 * h - 0.2 * u, 0.3 * u, 0.18 * u, 0.015 * u, '#2d353d')}${rect(0.04 * w + 0.015 * u, 0.7 * h - 0.187 * u, 0.27 * u, 0.15 * u, '#5fb0d8')}${rect(0.04 * w + 0.13 * u, 0.7 * h - 0.03 * u, 0.04 * u, 0.03 * u, '#2d353d')}
${many(5, (n) => ellipse(0.93 * w + (n - 2) * 0.035 * u, 0.6 * h - Math.abs(n - 2) * -0.02 * u, 0.035 * u, 0.1 * u, '#4f8a5b'))}${round(0.93 * w - 0.06 * u, 0.63 * h, 0.12 * u, 0.075 * h, 0.015 * u, '#f2efe9')}`;
};

const academia: DrawPlace = ({ width: w, height: h }) => {
  const u = Math.min(w, h);
  const rack = (y: number, fill: string) =>
    rect(0.03 * w, y, 0.94 * w, 0.02 * u, '#0f1215') +
    many(6, (n) => {
      const x = 0.08 * w + n * 0.155 * w;
      return (
        round(x, y - 0.075 * u, 0.035 * u, 0.075 * u, 0.01 * u, fill) +
        rect(x + 0.03 * u, y - 0.045 * u, 0.05 * u, 0.016 * u, '#7c858e') +
        round(x + 0.075 * u, y - 0.075 * u, 0.035 * u, 0.075 * u, 0.01 * u, fill)
      );
    });
  return `<defs>${gradient('wall', '#323940', '#1b1f23')}${gradient('mirror', '#5b6771', '#39424a')}${gradient('floor', '#15181b', '#2a2f34')}${glow('neon', '#c6ff3d')}</defs>
${rect(0, 0, w, h, 'url(#wall)')}${many(3, (n) => `${rect(0.05 * w + n * 0.31 * w, 0.1 * h, 0.28 * w, 0.42 * h, 'url(#mirror)')}<path d="M${(0.05 + n * 0.31) * w} ${0.44 * h} L ${(0.2 + n * 0.31) * w} ${0.1 * h} L ${(0.26 + n * 0.31) * w} ${0.1 * h} L ${(0.05 + n * 0.31) * w} ${0.52 * h} Z" fill="#fff" opacity="0.12"/>`)}
${rect(0, 0.045 * h, w, 0.012 * h, '#d8ff6b')}${ellipse(0.5 * w, 0.05 * h, 0.8 * w, 0.22 * h, 'url(#neon)')}${rack(0.62 * h, '#c43d3d')}${rect(0, 0.74 * h, w, 0.26 * h, 'url(#floor)')}${rack(0.74 * h, '#2f7fd1')}
${rect(0, 0.985 * h, w, 0.015 * h, '#c6ff3d')}`;
};

const cafeteria: DrawPlace = ({ width: w, height: h }) => {
  const u = Math.min(w, h);
  const [brick, course] = [0.13 * u, 0.05 * u];
  const lamp = (x: number, y: number) =>
    rect(x - 0.004 * u, 0, 0.008 * u, y, '#2a1c14') +
    `<path d="M${x - 0.08 * u} ${y + 0.07 * u} L ${x - 0.03 * u} ${y} L ${x + 0.03 * u} ${y} L ${x + 0.08 * u} ${y + 0.07 * u} Z" fill="#1f2d2b"/>` +
    ellipse(x, y + 0.08 * u, 0.035 * u, 0.03 * u, '#fff2c4') +
    ellipse(x, y + 0.1 * u, 0.34 * u, 0.34 * u, 'url(#bulb)');
  const cups = many(5, (n) =>
    round(0.6 * w + n * 0.07 * u, 0.46 * h - 0.05 * u, 0.05 * u, 0.05 * u, 0.012 * u, n % 2 ? '#f6efe4' : '#c98f5a'),
  );
  return `<defs>${glow('bulb', '#ffd58a')}${gradient('counter', '#6b4126', '#3d2414')}<pattern id="bricks" width="${2 * brick}" height="${2 * course}" patternUnits="userSpaceOnUse">${rect(0, 0, 2 * brick, 2 * course, '#5a2f22')}${rect(0.004 * u, 0.004 * u, brick - 0.008 * u, course - 0.008 * u, '#8f4c35')}${rect(brick + 0.004 * u, 0.004 * u, brick - 0.008 * u, course - 0.008 * u, '#9b553c')}${rect(0.5 * brick + 0.004 * u, course + 0.004 * u, brick - 0.008 * u, course - 0.008 * u, '#86452f')}</pattern></defs>
${rect(0, 0, w, h, 'url(#bricks)')}${round(0.06 * w, 0.2 * h, 0.34 * u, 0.3 * u, 0.015 * u, '#7a5230')}${rect(0.06 * w + 0.018 * u, 0.2 * h + 0.018 * u, 0.304 * u, 0.264 * u, '#22302d')}${many(4, (n) => rect(0.06 * w + 0.05 * u, 0.2 * h + (0.06 + n * 0.05) * u, (0.22 - (n % 2) * 0.07) * u, 0.012 * u, '#dfe8df', 0.8))}
${rect(0.54 * w, 0.46 * h, 0.46 * w, 0.02 * u, '#3d2414')}${cups}${lamp(0.22 * w, 0.1 * h)}${lamp(0.5 * w, 0.06 * h)}${lamp(0.8 * w, 0.11 * h)}
${rect(0, 0.7 * h, w, 0.3 * h, 'url(#counter)')}${rect(0, 0.7 * h, w, 0.018 * h, '#c98f5a')}`;
};

export const indoors: Readonly<Record<string, DrawPlace>> = {
  'estudio-claro': estudioClaro,
  cozinha,
  'banheiro-spa': banheiroSpa,
  quarto,
  escritorio,
  academia,
  cafeteria,
};
