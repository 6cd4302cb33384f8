/** How the index of the search is built and read: at build time and in the browser alike. */
import MiniSearch, { type Options } from 'minisearch';

/** A section of a page. */
export interface SearchEntry {
  readonly id: number;
  /** The file of the page below `/docs`, with the anchor of the section. */
  readonly link: string;
  readonly page: string;
  /** The heading of the section; the first section of a page has the page's title. */
  readonly heading: string;
  /** The name of the page in its address, for its first section: the `operationId` of an operation. */
  readonly name: string;
  readonly text: string;
  readonly language: string;
}

export const searchOptions: Options<SearchEntry> = {
  fields: ['name', 'page', 'heading', 'text'],
  storeFields: ['link', 'page', 'heading', 'language'],
  // Words with an underscore are found whole and in parts: RATE_LIMITED, rate, limited.
  tokenize: (text) => {
    const words = text.split(/[^\p{L}\p{N}_]+/u);
    return words.flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : word)).filter(Boolean);
  },
  processTerm: (term) => term.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase(),
  searchOptions: { boost: { name: 10, heading: 5 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
};

/** Reads an index from its file. */
export const readIndex = (text: string): MiniSearch<SearchEntry> => MiniSearch.loadJSON(text, searchOptions);
