import type { TokenMode } from '../../shared/contracts/token-modes.ts';
import { useLanguage } from '../language/language.tsx';

/** Formats `8 credits`, or `8 test credits` in test mode. */
export function useCreditsOf(mode: TokenMode): (count: number) => string {
  const { credits, format, text } = useLanguage();
  return mode === 'live' ? credits : (count) => text.common.testCreditsOf(count, format.number(count));
}
