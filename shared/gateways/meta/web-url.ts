/** Validates URLs from untrusted parties: only http and https may reach a browser, never `javascript:` and the like. */
import { longestNetworkUrl } from '../../contracts/channels.ts';

/** The URL without control characters and white space, which URL parsers would ignore. */
const plain = (text: string): string | undefined =>
  /[\p{C}\p{Z}]/u.test(text) ? URL.parse(text)?.href : URL.canParse(text) ? text : undefined;

/** The URL; null if it is not http or https. */
export function webUrlIn(text: string | null | undefined): string | null {
  if (!text || text.length > longestNetworkUrl || !/^https?:\/\//i.test(text)) return null;
  const url = plain(text);
  return url !== undefined && Buffer.byteLength(url) <= longestNetworkUrl ? url : null;
}
