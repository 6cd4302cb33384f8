/** A page of the site, before it is rendered. */

export type Language = 'en' | 'pt-BR';

/** The facts about a page that the navigation and the layout need. */
export interface SitePage {
  /** The path below `/docs`, without a leading slash; empty for the first page. */
  readonly path: string;
  readonly language: Language;
  readonly title: string;
  /** One sentence for search results and `llms.txt`. */
  readonly description: string;
  /** The group of the navigation that the page belongs to. */
  readonly section: string;
  /** The position in the navigation. */
  readonly order: number;
}

/** A page that is generated from the contract. */
export interface GeneratedPage extends Omit<SitePage, 'language' | 'order'> {
  /** The text, beginning with its heading. A link to another page is its path with a leading slash. */
  readonly text: string;
  /** What is shown beside the text: samples, and examples of responses. */
  readonly aside?: string;
}

/** The path of the page in a file that the generator writes: `reference/getTask` of `/reference/getTask.html`. */
export const pathOfUrl = (url: string): string =>
  url
    .slice(1)
    .replace(/\.\w+$/, '')
    .replace(/^index$/, '');

export const byOrder = (one: SitePage, other: SitePage): number =>
  one.order - other.order || (one.path < other.path ? -1 : 1);
