/** The texts of all pages in each language. */
import { type Dictionary, en } from './en.ts';
import type { Locale } from './format.ts';
import { ptBr } from './pt-br.ts';

export const dictionaries: Readonly<Record<Locale, Dictionary>> = { en, 'pt-BR': ptBr };
