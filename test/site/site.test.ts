/** The built documentation site: its links, what its pages load, and their weight. */
import { posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { placeholders } from '../../shared/contracts/openapi/published.ts';
import { type TestCaseName, testCases, testCaseText } from '../../shared/contracts/test-cases.ts';
import { readIndex } from '../../site/search-options.ts';
import { addressOf, builtSite, idsIn, pagesOf } from './built-site.ts';

const site = await builtSite();

const contentOf = (file: string): string => {
  const content = site.get(file);
  if (content === undefined) throw new Error(`the site has no file ${file}`);
  return content;
};

/** The headings of each file of the site, by the address at which it is served. */
const headings = new Map([...site].map(([file, content]) => [addressOf(file), new Set(idsIn(content))]));

function leadsNowhere(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const address = path === '' ? from : posix.join(posix.dirname(from), path);
  if (['openapi.json', 'clients'].includes(address)) return false;
  const target = headings.get(address);
  return target === undefined || (anchor !== undefined && !target.has(anchor));
}

const linksIn = (html: string) => [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link);
const isOutside = (link: string): boolean => /^(https|data):/.test(link);

describe('the documentation site', () => {
  test('has no link to a page, file or heading that does not exist', () => {
    const dead = pagesOf(site).flatMap(([file, html]) =>
      linksIn(html)
        .filter((link) => !isOutside(link) && leadsNowhere(addressOf(file), link))
        .map((link) => `${file}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  test('has a link check that reports a missing page, a missing file and a missing heading', () => {
    expect(leadsNowhere('docs/errors', 'missing')).toBe(true);
    expect(leadsNowhere('docs', 'docs/assets/missing.css')).toBe(true);
    expect(leadsNowhere('docs/errors', '#missing')).toBe(true);
    expect(leadsNowhere('docs/reference/getTask', '../errors#rate_limited')).toBe(false);
  });

  test('has Markdown versions whose links all lead to Markdown versions and text files', () => {
    const prefix = `${placeholders.serverUrl}/docs/`;
    const links = [...site].flatMap(([file, text]) =>
      /\.(md|txt)$/.test(file)
        ? [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => link.startsWith(prefix))
        : [],
    );
    expect(links.length).toBeGreaterThan(200);
    const targets = links.map((link) => link.slice(prefix.length).replace(/#.*/, ''));
    expect(targets.filter((target) => !/\.(md|txt)$/.test(target) || !site.has(target))).toEqual([]);
  });

  test('lists every page in the navigation of every page of its language', () => {
    const files = pagesOf(site).map(([file]) => file);
    const isPortuguese = (file: string): boolean => /^pt[./]/.test(file);
    for (const [file, html] of pagesOf(site)) {
      const [navigation = ''] = /<nav[\s\S]*<\/nav>/.exec(html) ?? [];
      const listed = linksIn(navigation)
        .filter((link) => !link.startsWith('#'))
        .map((link) => posix.join(posix.dirname(addressOf(file)), link));
      const expected = files.filter((other) => !isPortuguese(other) || isPortuguese(file)).map(addressOf);
      const missing = expected.filter((address) => !listed.includes(address));
      // The Portuguese guides replace the English ones, and the reference is in English.
      expect(missing.filter((address) => !isPortuguese(file) || address.includes('/reference'))).toEqual([]);
    }
  });

  test('has every guide but the changelog in Portuguese too, with the same samples', () => {
    const samplesIn = (text: string) => [...text.matchAll(/^```\w+\n[\s\S]*?^```$/gm)].map(([sample]) => sample);
    const guides = [...site.keys()].filter((file) => /^[\w-]+\.md$/.test(file) && file !== 'pt.md');
    const translated = guides.filter((file) => !['changelog.md', 'reference.md'].includes(file));
    expect(translated.length).toBeGreaterThan(8);
    for (const file of translated) {
      const translation = contentOf(file === 'index.md' ? 'pt.md' : `pt/${file}`);
      expect(samplesIn(translation), file).toEqual(samplesIn(contentOf(file)));
      expect(translation).not.toBe(contentOf(file));
    }
  });

  test('names every test case in both languages', () => {
    const missing = (Object.keys(testCases) as TestCaseName[])
      .map(testCaseText)
      .filter((text) => ['testing.md', 'pt/testing.md'].some((file) => !contentOf(file).includes(text)));
    expect(missing).toEqual([]);
  });

  test('labels each table cell with its column name for screens that hide the header row, except in tables of fields', () => {
    for (const [file, html] of pagesOf(site)) {
      const tables = [...html.matchAll(/<table>[\s\S]*?<\/table>/g)].map(([table]) => table);
      for (const table of tables.filter((one) => !one.includes('<th>Field</th>'))) {
        expect(table, file).not.toMatch(/<td(?! data-heading="[^"]+")/);
      }
    }
    expect(contentOf('prices.html')).toContain('<td data-heading="480p">90</td>');
  });

  test('has no duplicate ids on any page, and one main heading on each', () => {
    for (const [file, html] of pagesOf(site)) {
      const ids = idsIn(html);
      expect(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        file,
      ).toEqual([]);
      expect(html.match(/<h1[ >]/g)?.length, file).toBe(1);
    }
  });

  test('loads only its own files, and has neither inline scripts nor inline styles', () => {
    for (const [file, html] of pagesOf(site)) {
      const loaded = [
        ...html.matchAll(/<(?:script|img|audio|video|source)[^>]*\ssrc="([^"]*)"|<link[^>]*\shref="([^"]*)"/g),
      ];
      expect(
        loaded
          .map(([, src, href]) => src ?? href ?? '')
          .filter((link) => /^[a-z]+:(?!,$|image\/|audio\/)|^\/\//.test(link)),
        file,
      ).toEqual([]);
      expect(html, file).not.toMatch(/<script(?![^>]*\ssrc=)|<style|<[^>]*\s(?:style|on\w+)=|javascript:/);
    }
  });

  test('shows texts of the contract as text, and never interprets them as HTML', () => {
    expect(contentOf('authentication.html')).toContain('Bearer &lt;token&gt;');
    expect(contentOf('authentication.html')).not.toContain('Bearer <token>');
  });

  test('replaces every placeholder in its guides with a value', () => {
    for (const [file, content] of site) {
      if (/\.(html|md|txt)$/.test(file)) expect(content, file).not.toMatch(/\{\{|\bundefined\b|\[object Object\]/);
    }
  });

  test('has a first page of at most 150 KB with all that it loads, even without compression', () => {
    const [page, ...loaded] = ['index.html', 'assets/style.css', 'assets/site.js'].map(contentOf);
    const files = linksIn(page ?? '').filter((link) => /assets\//.test(link));
    expect(files.length).toBe(loaded.length);
    const bytes = [page, ...loaded].reduce((sum, text = '') => sum + Buffer.byteLength(text), 0);
    expect(bytes).toBeLessThan(150 * 1024);
  });

  test('has a search of at most 150 KB when compressed, and only pages of at most 150 KB', () => {
    const search = ['assets/search.js', 'assets/search-index.json'].map((file) => gzipSync(contentOf(file)).byteLength);
    expect(search.reduce((sum, bytes) => sum + bytes)).toBeLessThan(150 * 1024);
    for (const [file, html] of pagesOf(site)) expect(Buffer.byteLength(html), file).toBeLessThan(150 * 1024);
  });
});

describe('the search of the documentation', () => {
  const first = (text: string) => {
    const index = readIndex(contentOf('assets/search-index.json'));
    return index.search(text, { filter: ({ language }) => language === 'en' })[0]?.link;
  };

  test.each([
    ['RATE_LIMITED', 'errors#rate_limited'],
    ['rate limit', 'prices#rate-limit'],
    ['verify webhook', 'webhooks#verify-a-webhook'],
    ['idempotency', 'idempotency'],
    ['generateVoice', 'reference/generateVoice'],
    ['text to speech', 'generate/voice'],
    ['upload a file', 'reference/createFile'],
    ['dry run', 'prices#dry-run'],
    ['MCP', 'clients/mcp'],
    ['wait for many tasks', 'polling#wait-for-many-tasks'],
  ])('when asked for “%s”, lists the page %s first', (text, link) => {
    expect(first(text)).toBe(link);
  });
});

describe('the documentation for language models', () => {
  test('consists of a list of all English pages with descriptions, and a single file with their texts', () => {
    const list = contentOf('llms.txt');
    const full = contentOf('llms-full.txt');
    const texts = [...site].filter(([file]) => file.endsWith('.md') && !/^pt[./]/.test(file));
    expect(texts.length).toBeGreaterThan(50);
    for (const [file, text] of texts) {
      expect(full, file).toContain(text);
      if (file !== 'index.md') expect(list).toMatch(new RegExp(`\\]\\(https://[^)]*/${RegExp.escape(file)}\\): \\S`));
    }
  });
});
