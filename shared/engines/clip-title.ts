/** The title that a provider gives a clip: one line of bounded length. */
const maxCharacters = 500;

export function clipTitle(given: string | null | undefined): string | undefined {
  const line = given?.toWellFormed().replaceAll(/\s+/g, ' ').trim();
  return line ? Array.from(line).slice(0, maxCharacters).join('') : undefined;
}
