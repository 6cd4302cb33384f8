/** Renders the Markdown of pages as HTML. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import MarkdownIt from 'markdown-it';
import { relativeLink } from './links.ts';
import { pathOfUrl } from './site-page.ts';

hljs.registerLanguage('sh', bash);
hljs.registerLanguage('console', bash);
hljs.registerLanguage('go', go);
hljs.registerLanguage('json', json);
hljs.registerLanguage('python', python);
hljs.registerLanguage('js', typescript);
hljs.registerLanguage('ts', typescript);

/** The names of languages in which the same sample is shown; samples in a row become tabs. */
const sampleNames: Readonly<Record<string, string>> = {
  sh: 'curl',
  js: 'Node',
  ts: 'TypeScript',
  python: 'Python',
  go: 'Go',
};

type Renderer = ReturnType<typeof MarkdownIt>;
type Tokens = ReturnType<Renderer['parse']>;
type Token = Tokens[number];

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const anchorOf = (heading: string): string =>
  heading
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

const textOf = ({ children }: Token): string => (children ?? []).map(({ content }) => content).join('');

function withHeadingIds(tokens: Tokens, prefix: string): void {
  const taken = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    const text = tokens[index + 1];
    if (token.type !== 'heading_open' || !text) continue;
    const anchor = prefix + anchorOf(textOf(text));
    let id = anchor;
    for (let count = 2; taken.has(id); count += 1) id = `${anchor}-${count}`;
    taken.add(id);
    token.attrSet('id', id);
  }
}

function withRelativeLinks(tokens: Tokens, path: string): void {
  for (const { children } of tokens) {
    for (const token of children ?? []) {
      const target = token.type === 'link_open' ? String(token.attrGet('href')) : '';
      if (target.startsWith('/')) token.attrSet('href', relativeLink(path, target.slice(1)));
    }
  }
}

/**
 * Adds the name of the column to each cell, because narrow screens show no table heads. The names of fields need none.
 */
function withHeadings(tokens: Tokens): void {
  let heads: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    const text = tokens[index + 1];
    if (token.type === 'thead_open') heads = [];
    if (token.type === 'tr_open') column = 0;
    if (token.type === 'th_open' && text) heads.push(textOf(text));
    if (token.type !== 'td_open') continue;
    const head = heads[column];
    column += 1;
    if (head !== undefined && heads[0] !== 'Field') token.attrSet('data-heading', head);
  }
}

const isSample = (token: Token | undefined): boolean => token?.type === 'fence' && token.info in sampleNames;

/** Marks the first and last of several samples in a row. */
function withSampleGroups(tokens: Tokens): void {
  for (const [index, token] of tokens.entries()) {
    if (!isSample(token)) continue;
    const [follows, precedes] = [isSample(tokens[index - 1]), isSample(tokens[index + 1])];
    token.meta = { isFirst: !follows && precedes, isLast: follows && !precedes, isGrouped: follows || precedes };
  }
}

interface SampleMeta {
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isGrouped: boolean;
}

function codeBlock(content: string, language: string): string {
  const text = content.trimEnd();
  const html = hljs.getLanguage(language) ? hljs.highlight(text, { language }).value : escaped(text);
  // A block that scrolls must be reachable with the keyboard.
  return `<pre tabindex="0"><code>${html}</code></pre>`;
}

function fence({ content, info, meta }: Token): string {
  const code = codeBlock(content, info);
  const { isFirst, isLast, isGrouped } = (meta ?? {}) as Partial<SampleMeta>;
  if (!isGrouped) return `<div class="code">${code}</div>\n`;
  const figure = `<figure class="code" data-language="${info}"><figcaption>${sampleNames[info]}</figcaption>${code}</figure>`;
  return `${isFirst ? '<div class="samples">' : ''}${figure}${isLast ? '</div>' : ''}\n`;
}

const media = join(import.meta.dirname, '../media');

/** An image or a recording, which is embedded in its page, because the API's gateway serves only text. */
function embedded(token: Token): string {
  const file = String(token.attrGet('src')).replace(/^\/media\//, '');
  const data = readFileSync(join(media, file)).toString('base64');
  return file.endsWith('.mp3')
    ? `<audio controls aria-label="${escaped(token.content)}" src="data:audio/mpeg;base64,${data}"></audio>`
    : `<img alt="${escaped(token.content)}" src="data:image/webp;base64,${data}">`;
}

export interface RenderEnv {
  /** The page that the text is on, as the generator describes it. */
  readonly page: { readonly url: string };
  /** Begins the ids of headings, if the page has other texts. */
  readonly idPrefix?: string;
}

/** The renderer; what it renders needs a {@link RenderEnv}. */
export function markdownRenderer(): Renderer {
  const renderer = new MarkdownIt('default', { html: false, linkify: false, typographer: false });
  renderer.core.ruler.push('pages', (state) => {
    const { page, idPrefix = '' } = state.env as unknown as RenderEnv;
    withHeadingIds(state.tokens, idPrefix);
    withRelativeLinks(state.tokens, pathOfUrl(page.url));
    withHeadings(state.tokens);
    withSampleGroups(state.tokens);
  });
  renderer.renderer.rules.fence = (tokens, index) => fence(tokens[index] as Token);
  renderer.renderer.rules.image = (tokens, index) => embedded(tokens[index] as Token);
  renderer.renderer.rules.table_open = () => '<div class="wide" tabindex="0"><table>\n';
  renderer.renderer.rules.table_close = () => '</table></div>\n';
  return renderer;
}
