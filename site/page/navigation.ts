/** The list of all pages: guides first, then the groups of the reference. */
import { relativeLink } from './links.ts';
import { escaped } from './markdown.ts';
import type { SitePage } from './site-page.ts';
import { words } from './words.ts';

export const guideSection = 'Guides';
export const generateSection = 'Generate';

function item(current: SitePage, { path, title }: SitePage): string {
  const isCurrent = path === current.path;
  return `<li><a href="${relativeLink(current.path, path)}"${isCurrent ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`;
}

const list = (current: SitePage, pages: readonly SitePage[]): string =>
  `<ul>${pages.map((page) => item(current, page)).join('')}</ul>`;

/** A group of pages, open on each of them. */
const group = (current: SitePage, name: string, pages: readonly SitePage[]): string =>
  `<details${pages.some(({ path }) => path === current.path) ? ' open' : ''}><summary>${escaped(name)}</summary>${list(current, pages)}</details>`;

export function navigation(current: SitePage, pages: readonly SitePage[]): string {
  const text = words[current.language];
  const isOf = (section: string) => (page: SitePage) => page.section === section;
  const guides = pages.filter(isOf(guideSection)).filter(({ language }) => language === current.language);
  const generate = pages.filter(isOf(generateSection));
  const reference = pages.filter(({ section }) => section !== guideSection && section !== generateSection);
  const [index, ...others] = reference;
  const groups = [...Map.groupBy(others, ({ section }) => section)];
  return [
    `<h2>${text.guides}</h2>${list(current, guides)}`,
    `<h2>${text.generate}</h2>${group(current, text.examples, generate)}`,
    `<h2>${text.reference}</h2>${index ? list(current, [index]) : ''}`,
    ...groups.map(([name, found]) => group(current, name, found)),
  ].join('\n');
}
