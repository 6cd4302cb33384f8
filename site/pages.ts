/** All pages of the site, rendered by Eleventy: guides from files, and pages that are generated from the contract. */
import Eleventy, { type Configuration } from '@11ty/eleventy';
import { guideData } from './data/guide-data.ts';
import { generationPages } from './generate/generation-pages.ts';
import { type LayoutData, layout, pageOf } from './page/layout.ts';
import { absoluteLinks } from './page/links.ts';
import { markdownRenderer } from './page/markdown.ts';
import { guideSection } from './page/navigation.ts';
import { byOrder, pathOfUrl, type SitePage } from './page/site-page.ts';
import type { ReferenceDocument } from './reference/openapi-document.ts';
import { referencePages } from './reference/reference-pages.ts';

/** The folder with the guides. Eleventy resolves it from the folder that the process runs in. */
const guides = 'guides';

export interface PageFile {
  readonly page: SitePage;
  /** The name of the file in the site's folder. */
  readonly file: string;
  readonly content: string;
}

/** The default properties of pages: guides come from files, and those in `pt/` are in Portuguese. */
function addDefaults(configuration: Configuration, extension: string, data: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(data)) configuration.addGlobalData(name, value);
  configuration.addGlobalData('section', guideSection);
  configuration.addGlobalData('eleventyComputed', {
    language: ({ page }: LayoutData) => (/^\/pt(\/|$)/.test(page.filePathStem) ? 'pt-BR' : 'en'),
    permalink: ({ page }: LayoutData) => `${page.filePathStem.replace(/^\/pt\/index$/, '/pt').slice(1)}.${extension}`,
  });
}

async function pagesAs(
  extension: 'html' | 'md',
  document: ReferenceDocument,
  addRendering: (configuration: Configuration) => void,
): Promise<readonly PageFile[]> {
  let pages: readonly SitePage[] = [];
  const eleventy = new Eleventy(guides, 'unused', {
    quietMode: true,
    configPath: null,
    config(configuration) {
      configuration.setUseGitIgnore(false);
      configuration.setTemplateFormats(['md', '11ty.js']);
      addDefaults(configuration, extension, guideData(document));
      for (const [index, { path, text, ...data }] of [...generationPages(), ...referencePages(document)].entries()) {
        configuration.addTemplate(`${path}.md`, text, { ...data, order: 1000 + index, templateEngineOverride: 'md' });
      }
      configuration.addCollection('known', (all) => {
        pages = all.getAll().map(({ data }) => pageOf(data));
        return pages;
      });
      addRendering(configuration);
    },
  });
  const contents = new Map((await eleventy.toJSON()).map(({ url, content }) => [pathOfUrl(url), content]));
  return pages.toSorted(byOrder).map((page) => {
    const content = contents.get(page.path);
    if (content === undefined) throw new Error(`the page ${page.path} was not rendered`);
    return { page, file: `${page.path || 'index'}.${extension}`, content };
  });
}

export const htmlPages = (document: ReferenceDocument): Promise<readonly PageFile[]> =>
  pagesAs('html', document, (configuration) => {
    configuration.setLibrary('md', markdownRenderer());
    configuration.addTemplate('_includes/page.11ty.js', layout);
    configuration.addGlobalData('layout', 'page.11ty.js');
  });

/** Writes the same pages as Markdown, for readers that prefer text. */
export const markdownPages = (document: ReferenceDocument, docsUrl: string): Promise<readonly PageFile[]> =>
  pagesAs('md', document, (configuration) => {
    const render = (text: string, { aside }: LayoutData): string =>
      `${absoluteLinks(aside === undefined ? text : `${text.trimEnd()}\n\n${aside}`, docsUrl).trim()}\n`;
    configuration.setLibrary('md', { render });
  });
