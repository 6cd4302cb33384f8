/** Normalizes language codes, which engines give with two letters, three letters or a region. */

/** Longer than the tag of any language. Longer codes take much time to parse. */
const longestCode = 35;

/** The language as a property; empty if the code is invalid. */
export function languageIn(code: string | null | undefined): { readonly language?: string } {
  if (!code || code.length > longestCode || !/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(code)) return {};
  // Converts `por` and `pt-BR` to `pt`.
  const language = new Intl.Locale(code).language;
  return /^[a-z]{2,3}$/.test(language) ? { language } : {};
}
