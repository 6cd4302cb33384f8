/** Every link and path in the docs leads to something that exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { pages, proseOf, quotedIn } from './pages.ts';

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** The headings of a page, as URL fragments. */
const anchorsOf = (text: string): string[] =>
  [...proseOf(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

const linksIn = (text: string) => [...proseOf(text).matchAll(/\]\(([^)#\s]*)(?:#([^)\s]+))?\)/g)];

function leadsNowhere(path: string, file: string, anchor: string | undefined): boolean {
  if (file.startsWith('https://')) return false;
  const target = file === '' ? path : join(dirname(path), file);
  if (!existsSync(target)) return true;
  return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
}

test.each(pages)('every relative link of $path leads to an existing file and heading', ({ path, text }) => {
  const dead = linksIn(text).filter(([, file = '', anchor]) => leadsNowhere(path, file, anchor));
  expect(dead.map(([link]) => link)).toEqual([]);
});

test('the link check reports links to a missing file and to a missing heading', () => {
  expect(leadsNowhere('README.md', 'docs/missing.md', undefined)).toBe(true);
  expect(leadsNowhere('README.md', 'docs/deploy.md', 'a-heading-that-is-missing')).toBe(true);
  expect(leadsNowhere('README.md', 'docs/deploy.md', 'roll-back')).toBe(false);
});

test('every page of docs can be reached by links from README', () => {
  const reached = new Set(['README.md']);
  for (const path of reached) {
    const { text = '' } = pages.find((page) => page.path === path) ?? {};
    for (const [, file = ''] of linksIn(text)) if (file.endsWith('.md')) reached.add(join(dirname(path), file));
  }
  expect(pages.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
});

const folders = readdirSync('.', { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
const tops = folders.filter((name) => !['node_modules', 'build', 'demo-output'].includes(name));

/** Paths that a developer creates by following the page, and paths that were removed. */
const notYet: Readonly<Record<string, readonly string[]>> = {
  'CONTRIBUTING.md': [
    'functions/generate/mirror-image.ts',
    'offline-engine/operations/image-mirror.ts',
    'shared/contracts/generate-mirror.ts',
  ],
  'CHANGELOG.md': ['bench/simulate'],
};

/** The project's paths that a page mentions, except those with placeholders. */
const pathsIn = (text: string): string[] =>
  quotedIn(text).filter((quoted) => /^[\w.-]+\/[\w./-]*$/.test(quoted) && tops.includes(quoted.split('/', 1)[0] ?? ''));

test.each(pages)('every project path that $path mentions exists', ({ path, text }) => {
  const named = pathsIn(text).filter((name) => !notYet[path]?.includes(name));
  expect(named.filter((name) => !existsSync(name))).toEqual([]);
});

test('the check of documented paths finds more than 100 paths', () => {
  expect(pages.flatMap(({ text }) => pathsIn(text)).length).toBeGreaterThan(100);
});
