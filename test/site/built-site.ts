/** The documentation site, built once for all tests of a file. */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { runSiteBuild } from '../../infra/local/docs/build-docs.ts';

export interface BuiltSite {
  readonly folder: string;
  /** The contents of all files by their names. */
  readonly files: ReadonlyMap<string, string>;
  remove(): void;
}

export async function builtSite(): Promise<BuiltSite> {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'));
  await runSiteBuild(folder);
  const names = globSync('**/*.*', { cwd: folder }).toSorted();
  return {
    folder,
    files: new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')])),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Where a file is served: pages without their extension, and the first page at `docs`. */
export const addressOf = (file: string): string =>
  posix.join('docs', file.replace(/\.html$/, '').replace(/^index$/, ''));

/** The HTML pages by file name. */
export const pagesOf = ({ files }: BuiltSite): readonly (readonly [file: string, html: string])[] =>
  [...files].filter(([file]) => file.endsWith('.html'));

export const idsIn = (html: string): readonly string[] =>
  [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);

/** A page's text as a reader sees it. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
