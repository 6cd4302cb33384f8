/** Drawings of outdoor settings. */
import { seededRandom } from '../image/seeded-random.ts';
import { type DrawPlace, ellipse, glow, gradient, many, rect } from './shapes.ts';

const jardim: DrawPlace = ({ width: w, height: h }) => {
  const u = Math.min(w, h);
  const random = seededRandom('jardim');
  const bushes = many(16, (n) =>
    ellipse(
      (n / 15) * w,
      0.64 * h + random.between(-0.03, 0.05) * h,
      random.between(0.1, 0.17) * u,
      random.between(0.1, 0.16) * u,
      n % 2 ? '#4e9a4a' : '#3f8543',
    ),
  );
  const flowers = many(40, () =>
    ellipse(
      random.next() * w,
      random.between(0.72, 0.98) * h,
      0.014 * u,
      0.014 * u,
      random.pick(['#f7d154', '#f28ab2', '#ffffff'] as const),
    ),
  );
  return `<defs>${gradient('sky', '#8fd0f5', '#e4f6fd')}${gradient('grass', '#8acb5c', '#4f9a3f')}${glow('sun', '#fff6c8')}</defs>
${rect(0, 0, w, h, 'url(#sky)')}${ellipse(0.82 * w, 0.12 * h, 0.5 * u, 0.5 * u, 'url(#sun)')}${ellipse(0.82 * w, 0.12 * h, 0.07 * u, 0.07 * u, '#fffbe0')}
${many(3, (n) => ellipse((0.15 + n * 0.28) * w, (0.16 + (n % 2) * 0.08) * h, 0.16 * u, 0.04 * u, '#ffffff', 0.85) + ellipse((0.18 + n * 0.28) * w, (0.14 + (n % 2) * 0.08) * h, 0.09 * u, 0.05 * u, '#ffffff', 0.85))}
${ellipse(0.2 * w, 0.72 * h, 0.55 * w, 0.2 * h, '#a8d98a')}${ellipse(0.85 * w, 0.74 * h, 0.5 * w, 0.18 * h, '#97cf7c')}${bushes}${rect(0, 0.68 * h, w, 0.32 * h, 'url(#grass)')}${flowers}`;
};

const praia: DrawPlace = ({ width: w, height: h }) => {
  const u = Math.min(w, h);
  const waves = many(9, (n) =>
    rect((0.34 - n * 0.035) * w, (0.5 + n * 0.021) * h, (0.32 + n * 0.07) * w, 0.005 * h, '#ffe3ae', 0.75),
  );
  return `<defs>${gradient('sky', '#5b4b8a', '#ff8a5c', '#ffd08a')}${gradient('sea', '#f08a6a', '#3e6c91')}${gradient('sand', '#e8bd86', '#c18f5c')}${glow('sun', '#ffe7a8')}</defs>
${rect(0, 0, w, h, 'url(#sky)')}${ellipse(0.5 * w, 0.48 * h, 0.7 * u, 0.7 * u, 'url(#sun)')}${ellipse(0.5 * w, 0.48 * h, 0.16 * u, 0.16 * u, '#fff1c2')}
${rect(0, 0.48 * h, w, 0.24 * h, 'url(#sea)')}${waves}<path d="M0 ${0.72 * h} C ${0.3 * w} ${0.66 * h} ${0.6 * w} ${0.76 * h} ${w} ${0.69 * h} L ${w} ${h} L 0 ${h} Z" fill="url(#sand)"/>
<path d="M0 ${0.72 * h} C ${0.3 * w} ${0.66 * h} ${0.6 * w} ${0.76 * h} ${w} ${0.69 * h}" stroke="#fff3e0" stroke-width="${0.012 * h}" fill="none" opacity="0.8"/>
<path d="M${-0.02 * w} 0 C ${0.16 * w} ${0.1 * h} ${0.2 * w} ${0.16 * h} ${0.24 * w} ${0.24 * h} C ${0.12 * w} ${0.18 * h} ${0.05 * w} ${0.16 * h} ${-0.02 * w} ${0.16 * h} Z" fill="#2c2a4a"/>
<path d="M${-0.02 * w} ${0.03 * h} C ${0.2 * w} ${0.02 * h} ${0.3 * w} ${0.06 * h} ${0.38 * w} ${0.13 * h} C ${0.22 * w} ${0.09 * h} ${0.1 * w} ${0.09 * h} ${-0.02 * w} ${0.11 * h} Z" fill="#241f3d"/>`;
};

const cidade: DrawPlace = ({ width: w, height: h }) => {
  const u = Math.min(w, h);
  const random = seededRandom('cidade');
  const tower = (x: number, across: number, top: number, fill: string) =>
    rect(x, top, across, h, fill) +
    many(Math.floor(across / (0.035 * u)) * 9, (n) => {
      const columns = Math.floor(across / (0.035 * u));
      const lit = random.next() < 0.45;
      return lit
        ? rect(
            x + 0.01 * u + (n % columns) * 0.035 * u,
            top + 0.02 * u + Math.floor(n / columns) * 0.05 * u,
            0.018 * u,
            0.026 * u,
            random.pick(['#ffd98a', '#ffeec4', '#9fd8ff'] as const),
          )
        : '';
    });
  const count = Math.ceil(w / (0.2 * u)) + 1;
  const towers = many(count, (n) =>
    tower(n * 0.2 * u - 0.05 * u, 0.185 * u, random.between(0.18, 0.46) * h, n % 2 ? '#1d2145' : '#161a38'),
  );
  const lights = many(26, () =>
    ellipse(
      random.next() * w,
      random.between(0.6, 0.98) * h,
      random.between(0.015, 0.05) * u,
      random.between(0.015, 0.05) * u,
      random.pick(['#ff4fa3', '#35d8ff', '#ffb347', '#9b6bff'] as const),
      0.5,
    ),
  );
  return `<defs>${gradient('sky', '#0b0d26', '#3a1f5c', '#6b2a6b')}${gradient('street', '#14142c', '#241a3f')}${glow('pink', '#ff4fa3')}${glow('blue', '#35d8ff')}</defs>
${rect(0, 0, w, h, 'url(#sky)')}${towers}${rect(0, 0.72 * h, w, 0.28 * h, 'url(#street)')}
${ellipse(0.12 * w, 0.5 * h, 0.55 * u, 0.55 * u, 'url(#pink)')}${ellipse(0.9 * w, 0.42 * h, 0.55 * u, 0.55 * u, 'url(#blue)')}
${rect(0.04 * w, 0.36 * h, 0.03 * u, 0.26 * u, '#ff4fa3')}${rect(0.93 * w, 0.3 * h, 0.03 * u, 0.26 * u, '#35d8ff')}${lights}`;
};

export const outdoors: Readonly<Record<string, DrawPlace>> = {
  jardim,
  'praia-por-do-sol': praia,
  'cidade-a-noite': cidade,
};
