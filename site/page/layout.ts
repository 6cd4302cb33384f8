/** The HTML of a page around its text. */
import { markdownFile, relativeLink } from './links.ts';
import { escaped, markdownRenderer } from './markdown.ts';
import { navigation } from './navigation.ts';
import { byOrder, type Language, pathOfUrl, type SitePage } from './site-page.ts';
import { words } from './words.ts';

/** The values that the generator passes to the layout. */
export interface LayoutData extends Omit<SitePage, 'path'> {
  readonly page: { readonly url: string; readonly filePathStem: string };
  /** The rendered text. */
  readonly content: string;
  readonly aside?: string;
  readonly collections: { readonly all: readonly { readonly data: LayoutData }[] };
}

export const pageOf = ({ page, language, title, description, section, order }: LayoutData): SitePage => ({
  path: pathOfUrl(page.url),
  language,
  title,
  description,
  section,
  order,
});

interface Heading {
  readonly id: string;
  readonly html: string;
}

const sectionsOf = (html: string): readonly Heading[] =>
  [...html.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)].map(([, id = '', text = '']) => ({ id, html: text }));

/** The list of the page's sections; pages with samples beside their text have none. */
function contents(html: string, language: Language): string {
  const sections = sectionsOf(html);
  if (sections.length < 2) return '';
  const links = sections.map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`).join('');
  return `<aside class="contents" aria-label="${words[language].contents}"><p>${words[language].contents}</p><ul>${links}</ul></aside>`;
}

const samples = (html: string, language: Language): string =>
  `<aside class="beside" aria-label="${words[language].samples}">${html}</aside>`;

/** The same page in the other language. */
function translationLink({ language, path }: SitePage, paths: ReadonlySet<string>): string {
  const [other, target] =
    language === 'en'
      ? (['pt-BR', path ? `pt/${path}` : 'pt'] as const)
      : (['en', path.replace(/^pt\/?/, '')] as const);
  if (!paths.has(target)) return '';
  return `<a href="${relativeLink(path, target)}" hreflang="${other}" lang="${other}">${words[other].name}</a>`;
}

const renderer = markdownRenderer();

export function layout(data: LayoutData): string {
  const { aside, content } = data;
  const page = pageOf(data);
  const { description, language, path, title } = page;
  const pages = data.collections.all.map((other) => pageOf(other.data)).toSorted(byOrder);
  const beside = aside && renderer.render(aside, { page: data.page, idPrefix: 'beside-' });
  const text = words[language];
  const link = (target: string): string => relativeLink(path, target);
  const home = language === 'en' ? '' : 'pt';
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(path === home ? title : `${title} · Generation Service`)}</title>
<meta name="description" content="${escaped(description)}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${link('assets/style.css')}">
<link rel="alternate" type="text/markdown" href="${link(markdownFile(path))}">
<script type="module" src="${link('assets/site.js')}"></script>
</head>
<body>
<a class="skip" href="#content">${text.skip}</a>
<header>
<a class="title" href="${link(home)}">Generation Service</a>
<a class="menu" href="#navigation">${text.menu}</a>
<button type="button" class="search" hidden data-placeholder="${text.searchPlaceholder}" data-none="${text.nothingFound}">${text.search}</button>
${translationLink(page, new Set(pages.map((other) => other.path)))}
</header>
<nav id="navigation" aria-label="${text.pages}">
<a class="close" href="#content">${text.close}</a>
${navigation(page, pages)}
</nav>
<main id="content"${beside ? ' class="split"' : ''}>
<article>
${content}</article>
${beside ? samples(beside, language) : contents(content, language)}
</main>
<footer><a href="${link(markdownFile(path))}">${text.asMarkdown}</a> · <a href="${link('llms.txt')}">llms.txt</a> · <a href="${link('../openapi.json')}">openapi.json</a></footer>
</body>
</html>
`;
}
