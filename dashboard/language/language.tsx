/** The language of the page: the user's choice, or else the browser's. */
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { dictionaries } from './dictionaries.ts';
import type { Dictionary } from './en.ts';
import { type Formats, formatsOf, type Locale, locales } from './format.ts';

const storageKey = 'language';

const isLocale = (value: string | null): value is Locale => value !== null && Object.hasOwn(dictionaries, value);

const languageOf = (tag: string): string => new Intl.Locale(tag).language;

function preferredLocale(): Locale {
  const chosen = localStorage.getItem(storageKey);
  if (isLocale(chosen)) return chosen;
  const wanted = languageOf(navigator.language);
  return locales.find((locale) => languageOf(locale) === wanted) ?? 'en';
}

interface Language {
  readonly locale: Locale;
  readonly text: Dictionary;
  readonly format: Formats;
  /** Formats `1 credit` or `967 credits`. */
  readonly credits: (count: number) => string;
  readonly choose: (locale: Locale) => void;
}

const LanguageContext = createContext<Language | undefined>(undefined);

interface ProviderProps {
  readonly children: ReactNode;
  /** The language of pages that have no other. */
  readonly only?: Locale;
}

export function LanguageProvider({ children, only }: ProviderProps) {
  const [locale, setLocale] = useState(only ?? preferredLocale);
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  const language = useMemo(() => {
    const choose = (chosen: Locale): void => {
      localStorage.setItem(storageKey, chosen);
      setLocale(chosen);
    };
    const text = dictionaries[locale];
    const format = formatsOf(locale);
    const credits = (count: number) => text.common.creditsOf(count, format.number(count));
    return { locale, text, format, credits, choose };
  }, [locale]);
  return <LanguageContext value={language}>{children}</LanguageContext>;
}

export function useLanguage(): Language {
  const language = use(LanguageContext);
  if (!language) throw new Error('There is no LanguageProvider above this component.');
  return language;
}

/**
 * The text for a value of a contract; a value that is unknown, because a newer service added it, is shown unchanged.
 */
export const labelOf = (labels: Readonly<Record<string, string>>, value: string): string =>
  Object.hasOwn(labels, value) ? (labels[value] ?? value) : value;
