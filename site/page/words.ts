/** The words of the layout in each language of the site. */
import type { Language } from './site-page.ts';

const en = {
  /** The language's own name. */
  name: 'English',
  asMarkdown: 'This page as Markdown',
  close: 'Close',
  contents: 'On this page',
  examples: 'Input and result',
  generate: 'Generate',
  guides: 'Guides',
  menu: 'Menu',
  nothingFound: 'Nothing was found.',
  pages: 'Pages',
  reference: 'Reference',
  samples: 'Samples',
  search: 'Search',
  searchPlaceholder: 'Search the documentation',
  skip: 'Skip to the content',
};

const ptBR: typeof en = {
  name: 'Português',
  asMarkdown: 'Esta página em Markdown',
  close: 'Fechar',
  contents: 'Nesta página',
  examples: 'Entrada e resultado (em inglês)',
  generate: 'Gerar',
  guides: 'Guias',
  menu: 'Menu',
  nothingFound: 'Nenhum resultado.',
  pages: 'Páginas',
  reference: 'Referência (em inglês)',
  samples: 'Exemplos',
  search: 'Buscar',
  searchPlaceholder: 'Buscar na documentação',
  skip: 'Ir para o conteúdo',
};

export const words: Readonly<Record<Language, typeof en>> = { en, 'pt-BR': ptBR };
