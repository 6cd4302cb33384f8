/** Finds entries by words in any order, without regard to case and accents. */

interface Searchable {
  readonly label: string;
  readonly detail?: string;
  readonly words?: string;
}

const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** The entries that contain every typed word, in their order. */
export function matchesOf<Entry extends Searchable>(entries: readonly Entry[], typed: string): readonly Entry[] {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  return entries.filter(({ detail = '', label, words: more = '' }) => {
    const text = plain(`${label} ${detail} ${more}`);
    return words.every((word) => text.includes(word));
  });
}
