/** The search: a dialog over the index, which is loaded when it is first opened. */
import type MiniSearch from 'minisearch';
import { readIndex, type SearchEntry } from '../search-options.ts';

type Found = Pick<SearchEntry, 'link' | 'page' | 'heading' | 'language'>;

const shownResults = 12;

/** The root of the site, relative to this script. */
const docs = new URL('../../docs', import.meta.url);

let index: Promise<MiniSearch<SearchEntry>> | undefined;

async function load(): Promise<MiniSearch<SearchEntry>> {
  const response = await fetch(new URL('search-index.json', import.meta.url));
  return readIndex(await response.text());
}

function resultItem({ link, page, heading }: Found): HTMLLIElement {
  const anchor = document.createElement('a');
  anchor.href = link === '' || link.startsWith('#') ? `${docs}${link}` : `${docs}/${link}`;
  const title = document.createElement('strong');
  title.textContent = page;
  anchor.append(title, heading === page ? '' : ` › ${heading}`);
  const item = document.createElement('li');
  item.append(anchor);
  return item;
}

/**
 * On pages in Portuguese, results in Portuguese come first, then those in English, such as the reference; on pages in
 * English, only results in English are found.
 */
function search(all: MiniSearch<SearchEntry>, text: string): readonly Found[] {
  const { lang } = document.documentElement;
  return all
    .search(text, {
      filter: ({ language }) => language === lang || lang !== 'en',
      boostDocument: (_id, _term, stored) => (stored?.language === lang ? 4 : 1),
    })
    .slice(0, shownResults) as unknown as Found[];
}

function createDialog(): HTMLDialogElement {
  const button = document.querySelector<HTMLElement>('header .search');
  const { placeholder = '', none = '' } = button?.dataset ?? {};
  const dialog = document.createElement('dialog');
  dialog.className = 'search-dialog';
  dialog.setAttribute('aria-label', button?.textContent ?? '');
  const input = document.createElement('input');
  Object.assign(input, { type: 'search', placeholder, autocomplete: 'off', spellcheck: false });
  input.setAttribute('aria-label', placeholder);
  const results = document.createElement('ul');
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  const show = async (): Promise<void> => {
    const text = input.value;
    index ??= load();
    const all = await index;
    if (text !== input.value) return;
    const found = text.trim() ? search(all, text) : [];
    results.replaceChildren(...found.map(resultItem));
    status.textContent = text.trim() && found.length === 0 ? none : '';
  };
  input.addEventListener('input', () => void show());
  dialog.addEventListener('keydown', (event) => moveFocus(event, input, results));
  dialog.addEventListener('click', (event) => {
    const isLink = event.target instanceof Element && event.target.closest('a') !== null;
    if (event.target === dialog || isLink) dialog.close();
  });
  dialog.append(input, status, results);
  document.body.append(dialog);
  return dialog;
}

/** Arrows move between the results, and Enter in the field follows the first one. */
function moveFocus(event: KeyboardEvent, input: HTMLInputElement, results: HTMLUListElement): void {
  const links = [...results.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  if (event.key === 'Enter' && document.activeElement === input) links[0]?.click();
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  (links[event.key === 'ArrowDown' ? at + 1 : at - 1] ?? input).focus();
}

export function openSearch(): void {
  const dialog = document.querySelector<HTMLDialogElement>('.search-dialog') ?? createDialog();
  if (dialog.open) return;
  dialog.showModal();
  dialog.querySelector('input')?.select();
  index ??= load();
}
