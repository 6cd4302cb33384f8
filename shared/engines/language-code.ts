/** The codes of languages, which engines give in two letters, in three, or with a region. */

/** Nothing for what is no code. */
export function languageIn(code: string | null | undefined): { readonly language?: string } {
  if (!code || !/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(code)) return {};
  // `por` and `pt-BR` become `pt`.
  const language = new Intl.Locale(code).language;
  return /^[a-z]{2,3}$/.test(language) ? { language } : {};
}
