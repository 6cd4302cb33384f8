/** Writes the page that shows all results next to their inputs. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Demo } from '../demo.ts';
import { type PageCard, resultsPage } from '../results-page.ts';
import type { Show } from '../show.ts';
import { type SavedFile, shownPath } from './save-results.ts';

export const pageName = 'index.html';

/** The poster of a file; undefined if it has none. */
async function posterOf({ described: { posterUrl } }: SavedFile): Promise<Buffer | undefined> {
  const response = posterUrl === undefined ? undefined : await fetch(posterUrl);
  return response?.ok ? Buffer.from(await response.arrayBuffer()) : undefined;
}

async function cardOf(request: Show['requests'][number], saved: readonly SavedFile[]): Promise<PageCard> {
  const own = saved.filter((file) => file.request === request);
  const posters = await Promise.all(own.map(posterOf));
  return {
    title: request.name,
    // Omits a summary that only repeats the title.
    summary: request.summary.startsWith(request.name)
      ? request.summary.slice(request.name.length).trim()
      : request.summary,
    inputs: await request.inputs(),
    results: own.map(({ fileName, described, bytes }, index) => ({
      caption: fileName,
      contentType: described.contentType,
      bytes,
      poster: posters[index],
    })),
  };
}

export async function writePage({ outDir, screen }: Demo, show: Show, saved: readonly SavedFile[]): Promise<void> {
  const cards = await Promise.all(show.requests.map((request) => cardOf(request, saved)));
  const withResults = cards.filter(({ results }) => results.length > 0);
  if (withResults.length === 0) return screen.line(`${pageName}  none: there are no results`);
  const path = join(outDir, pageName);
  await writeFile(path, resultsPage(show.title, withResults));
  screen.line(shownPath(path));
}
