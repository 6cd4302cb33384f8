/** The index of the search: the sections of all pages, from their HTML. */
import MiniSearch from 'minisearch';
import type { PageFile } from './pages.ts';
import { type SearchEntry, searchOptions } from './search-options.ts';

const unescaped = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The sections of a page: from its beginning, and from each heading with an id. Samples are left out. */
function sectionsOf({ page, content }: PageFile): Omit<SearchEntry, 'id'>[] {
  const [, article = ''] = /<article>([\s\S]*)<\/article>/.exec(content) ?? [];
  const prose = article.replaceAll(/<pre[\s\S]*?<\/pre>/g, ' ');
  return prose.split(/(?=<h[1-6] id=")/).map((part) => {
    const [whole = '', level, anchor, heading = ''] =
      /^<h([1-6]) id="([^"]+)">([\s\S]*?)<\/h\1>/.exec(part.trim()) ?? [];
    const isFirst = level === undefined || level === '1';
    return {
      link: isFirst ? page.path : `${page.path}#${anchor}`,
      name: isFirst ? (page.path.split('/').at(-1) ?? '') : '',
      page: page.title,
      heading: unescaped(heading),
      text: unescaped(part.trim().slice(whole.length)),
      language: page.language,
    };
  });
}

export function searchIndex(pages: readonly PageFile[]): string {
  const index = new MiniSearch<SearchEntry>(searchOptions);
  // The error codes of operations are left out, because they would come before the page that describes each error.
  const isErrors = ({ link }: Pick<SearchEntry, 'link'>): boolean => /^reference\/.*#errors$/.test(link);
  const sections = pages.flatMap(sectionsOf).filter((section) => section.text !== '' && !isErrors(section));
  index.addAll(sections.map((section, id) => ({ id, ...section })));
  return JSON.stringify(index);
}
