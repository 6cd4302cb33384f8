/** The playground's texts in the language of the page. */
import type { TokenMode } from '../../../shared/contracts/token-modes.ts';
import type { Locale } from '../../language/format.ts';
import { useLanguage } from '../../language/language.tsx';
import { en, type PlaygroundTexts } from './en.ts';
import { ptBr } from './pt-br.ts';

const texts: Readonly<Record<Locale, PlaygroundTexts>> = { en, 'pt-BR': ptBr };

export const useTexts = (): PlaygroundTexts => texts[useLanguage().locale];

/** Formats `8 credits`, or `8 test credits` in test mode. */
export function useCreditsOf(mode: TokenMode): (count: number) => string {
  const texts = useTexts();
  const { credits, format } = useLanguage();
  return mode === 'live' ? credits : (count) => texts.testCreditsOf(count, format.number(count));
}
