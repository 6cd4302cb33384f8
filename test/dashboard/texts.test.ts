import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { enPages } from '../../dashboard/language/en-pages.ts';

test('every text in the dashboard’s dictionaries is shown somewhere', () => {
  const files = globSync(['dashboard/{app,pages,parts}/**/*.{ts,tsx}', 'dashboard/language/language.tsx']);
  const source = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  // Only the navigation looks up texts by the names of its pages.
  const pages = readFileSync('dashboard/app/navigation.tsx', 'utf8').matchAll(/\bname: '(\w+)'/g);
  const named = new Set([...pages].map(([, name]) => `shell.${name}`));
  const isShown = (section: string, name: string) =>
    named.has(`${section}.${name}`) || new RegExp(`\\b${section}\\.${name}\\b`).test(source);
  const unused = Object.entries(enPages).flatMap(([section, texts]) =>
    Object.keys(texts)
      .filter((name) => !isShown(section, name))
      .map((name) => `${section}.${name}`),
  );
  expect(unused).toEqual([]);
});
