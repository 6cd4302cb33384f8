/** The files for language models: a list of all pages, and all pages in one file. */
import { markdownFile } from './page/links.ts';
import { words } from './page/words.ts';
import type { PageFile } from './pages.ts';

interface TextFile {
  readonly file: string;
  readonly content: string;
}

/** Returns `llms.txt` (llmstxt.org) and `llms-full.txt`; translations are left out, because they say the same. */
export function llmsFiles(all: readonly PageFile[], docsUrl: string): readonly TextFile[] {
  const pages = all.filter(({ page }) => page.language === 'en');
  const [first, ...others] = pages;
  const link = ({ page: { path, title, description } }: PageFile): string =>
    `- [${title}](${docsUrl}/${markdownFile(path)}): ${description}`;
  const groups = [...Map.groupBy(others, ({ page }) => page.section || words.en.reference)];
  const list = [
    `# ${first?.page.title}`,
    `> ${first?.page.description}`,
    `All pages in one file: ${docsUrl}/llms-full.txt`,
    ...groups.map(([name, found]) => `## ${name}\n\n${found.map(link).join('\n')}`),
  ];
  return [
    { file: 'llms.txt', content: `${list.join('\n\n')}\n` },
    { file: 'llms-full.txt', content: pages.map(({ content }) => content).join('\n---\n\n') },
  ];
}
