/** Small images that replace photographs of people and products. */
import type { Reply } from '../api-server.ts';
import { escaped } from '../sandbox-page.ts';
import type { MetaWorld } from './meta-world.ts';

const hueOf = (text: string): number => Buffer.from(text).reduce((sum, byte) => (sum * 31 + byte) % 360, 7);

const svg = (size: number, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}">${content}</svg>`;

function portrait(name: string): string {
  const initials = name
    .split(/\s+/)
    .map((word) => word.charAt(0))
    .slice(0, 2)
    .join('')
    .toUpperCase();
  return svg(
    96,
    `<rect width="96" height="96" fill="hsl(${hueOf(name)} 45% 38%)"/><text x="48" y="60" font-family="sans-serif" font-size="36" fill="#fff" text-anchor="middle">${escaped(initials)}</text>`,
  );
}

function photograph(id: string): string {
  const hue = hueOf(id);
  const vase = `<path d="M250 150h100l-12 70c60 40 70 150 10 230h-96c-60-80-50-190 10-230z" fill="hsl(${hue} 55% 42%)"/>`;
  return svg(600, `<rect width="600" height="600" fill="hsl(${(hue + 40) % 360} 40% 88%)"/>${vase}`);
}

/** An image; undefined if the path is not one of an image. */
export function imageReply(world: MetaWorld, path: string): Reply | undefined {
  const [, kind, id = ''] = /^\/images\/(people|posts)\/(\w+)\.svg$/.exec(path) ?? [];
  if (kind === undefined) return undefined;
  const image = kind === 'posts' ? photograph(id) : portrait(world.person(id)?.name ?? '?');
  return { status: 200, headers: { 'content-type': 'image/svg+xml' }, body: Buffer.from(image) };
}
