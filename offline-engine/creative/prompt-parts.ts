/** Splits a long prompt into parts that are shown one after the other. */

/**
 * Parts with at most this many characters, unless a word is longer; the last of at most `most` parts takes the rest.
 */
export const promptParts = (prompt: string, letters: number, most: number): readonly string[] => {
  const parts: string[] = [];
  for (const word of prompt.split(/\s+/u).filter(Boolean)) {
    const longer = parts.length > 0 ? `${parts.at(-1)} ${word}` : word;
    const fits = longer.length <= letters || parts.length === most;
    if (parts.length === 0 || !fits) parts.push(word);
    else parts[parts.length - 1] = longer;
  }
  return parts;
};
