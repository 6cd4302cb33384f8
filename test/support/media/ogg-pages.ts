/** Finds the pages of an Ogg. */

/** The positions of all pages. */
export function pagesOf(bytes: Buffer): number[] {
  const pages: number[] = [];
  for (let at = bytes.indexOf('OggS'); at >= 0; at = bytes.indexOf('OggS', at + 1)) pages.push(at);
  return pages;
}
