/** The documentation pages and the parts of their text that tests check. */
import { globSync, readFileSync } from 'node:fs';

export interface Page {
  readonly path: string;
  readonly text: string;
}

export const pages: readonly Page[] = globSync(['*.md', 'client/README.md', 'docs/**/*.md'])
  .toSorted()
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

export function pageAt(path: string): string {
  const page = pages.find((candidate) => candidate.path === path);
  if (!page) throw new Error(`there is no page ${path}`);
  return page.text;
}

const fence = /^ *```(\w*)\n([\s\S]*?)^ *```$/gm;

/** The contents of a page's code blocks in the given languages. */
export const codeIn = (text: string, languages: readonly string[]): string[] =>
  [...text.matchAll(fence)].flatMap(([, language = '', code = '']) => (languages.includes(language) ? [code] : []));

/** The page without its code blocks. */
export const proseOf = (text: string): string => text.replaceAll(fence, '');

/** The text in backticks outside of code blocks. */
export const quotedIn = (text: string): string[] =>
  [...proseOf(text).matchAll(/`([^`\n]+)`/g)].map(([, quoted = '']) => quoted);
