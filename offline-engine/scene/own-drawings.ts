/** Drawings of things that emoji lack, as SVG of 32 by 32. */
import { line, many, polygon, rect } from './svg.ts';

const sails = many(4, (n) => {
  const lattice = many(3, (at) => line([16 - 1.2, 3.4 + 2.2 * at], [16 + 1.2, 3.4 + 2.2 * at], '#8a5a34', 0.4));
  return `<g transform="rotate(${45 + 90 * n} 16 12)">${rect(14.6, 1.6, 2.8, 7.6, '#f3e4c8')}${line([16, 1], [16, 12], '#8a5a34', 0.9)}${lattice}</g>`;
});

const arch = (x: number): string =>
  `<path d="M${x} 26V22a3.4 3.4 0 0 1 6.8 0v4Z" fill="#cfe6f2"/><path d="M${x - 0.5} 22a3.9 3.9 0 0 1 7.8 0" fill="none" stroke="#7c7268" stroke-width="1"/>`;

export const ownDrawings: Readonly<Record<string, string>> = {
  windmill: `${polygon('11.4,30.5 13,12 19,12 20.6,30.5', '#c9794f')}<path d="M12.4 12.6 16 7.4l3.6 5.2Z" fill="#6b3f2a"/>${rect(14.4, 24.5, 3.2, 6, '#6b3f2a')}${rect(14.8, 16.5, 2.4, 3, '#ffe9b0')}${sails}<circle cx="16" cy="12" r="1.3" fill="#5a3622"/>`,
  waterfall: `<path d="M1 31V9l5-4 5 1 1-2h8l1 2 5-1 5 4v22Z" fill="#6d6a66"/><path d="M1 31V14l4-3 3 8-1 12ZM31 31V14l-4-3-3 8 1 12Z" fill="#534f4c"/><path d="M11 4h10l1.6 22H9.4Z" fill="#7cc9ee"/>${many(5, (n) => line([12.4 + 1.8 * n, 6 + (n % 2) * 3], [12 + 2 * n, 23], '#e4f6ff', 0.8))}<path d="M4 31c0-5 5-6 6-5 1-3 5-3 6-1 1-2 5-2 6 1 1-1 6 0 6 5Z" fill="#ffffff"/><path d="M2 31c3-3 25-3 28 0Z" fill="#4aa9dc"/>`,
  'hot-air-balloon': `<path d="M16 1C9 1 4.6 5.8 4.6 11.6 4.6 17 10 21 13 24.6h6c3-3.6 8.4-7.6 8.4-13C27.4 5.8 23 1 16 1Z" fill="#e5533d"/><path d="M16 1c-4 0-6 5-6 10.6 0 5.4 2.6 9.4 4.4 13h3.2c1.8-3.6 4.4-7.6 4.4-13C22 6 20 1 16 1Z" fill="#f6b73c"/><path d="M16 1c-1.4 0-2.2 5-2.2 10.6 0 5.4.8 9.4 1.4 13h1.6c.6-3.6 1.4-7.6 1.4-13C18.2 6 17.4 1 16 1Z" fill="#e5533d"/>${line([13.4, 24.6], [13.9, 27.4], '#6b4a2c', 0.5)}${line([18.6, 24.6], [18.1, 27.4], '#6b4a2c', 0.5)}<rect x="13" y="27.2" width="6" height="4.2" rx="1" fill="#a8743f"/><path d="M13 28.6h6M13 30h6" stroke="#6b4a2c" stroke-width=".5"/>`,
  bridge: `<path d="M0 26V18q16-6 32 0v8Z" fill="#a89b8c"/><path d="M0 17q16-6 32 0v2.4q-16-6-32 0Z" fill="#7c7268"/>${arch(2)}${arch(12.6)}${arch(23.2)}<path d="M0 26h32v4H0Z" fill="#4aa9dc"/>`,
};
