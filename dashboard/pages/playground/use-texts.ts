/** The playground's texts in the language of the page. */
import type { Locale } from '../../language/format.ts';
import { useLanguage } from '../../language/language.tsx';
import { en, type PlaygroundTexts } from './en.ts';
import { ptBr } from './pt-br.ts';

const texts: Readonly<Record<Locale, PlaygroundTexts>> = { en, 'pt-BR': ptBr };

export const useTexts = (): PlaygroundTexts => texts[useLanguage().locale];
