/** The documentation site as the service serves it. */
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { buildDocs } from '../../infra/local/docs/build-docs.ts';
import { builtFolder } from '../../shared/platform/built-folder.ts';

/** The contents of all files by their names. */
export type SiteFiles = ReadonlyMap<string, string>;

export const siteFilesIn = (folder: string): SiteFiles =>
  new Map(
    globSync('**/*.*', { cwd: folder })
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );

export async function builtSite(): Promise<SiteFiles> {
  await buildDocs();
  return siteFilesIn(builtFolder('docs'));
}

/** Where a file is served: pages without their extension, and the first page at `docs`. */
export const addressOf = (file: string): string =>
  posix.join('docs', file.replace(/\.html$/, '').replace(/^index$/, ''));

/** The HTML pages by file name. */
export const pagesOf = (files: SiteFiles): readonly (readonly [file: string, html: string])[] =>
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
