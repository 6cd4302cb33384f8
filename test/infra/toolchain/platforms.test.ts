/** Which programs `npm ci` installs on machines other than those that run these tests. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const has = ({ os, cpu }: Locked, platform: string, arch: string) => os?.includes(platform) && cpu?.includes(arch);

/** The package's name without its platform, which is the same for all platforms of a program. */
const program = (path: string) =>
  path.replace(/(-bin)?[-/](linux|linuxmusl|darwin)-(x64|arm64)(-(gnu|musl))?$/, '').replace(/^.*node_modules\//, '');

const programsFor = (platform: string, arch: string) =>
  new Set(Object.entries(packages).flatMap(([path, locked]) => (has(locked, platform, arch) ? [program(path)] : [])));

const here = programsFor('linux', 'x64');

test('installed programs are recognized by their names without the platform', () => {
  expect(here).toContain('@biomejs/cli');
  expect(here).toContain('node');
  expect([...here].filter((name) => /linux|x64/.test(name))).toEqual([]);
});

test.for([
  ['linux', 'arm64'],
  ['darwin', 'arm64'],
  ['darwin', 'x64'],
] as const)(
  'all programs that are installed on linux x64, except the database, are also installed on the platform %s %s',
  ([platform, arch]) => {
    const there = programsFor(platform, arch);
    expect([...here].filter((name) => !there.has(name))).toEqual(['@dynoxide']);
  },
);
