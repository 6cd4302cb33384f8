/** URLs that people outside have chosen: what is not of the web, such as `javascript:`, must reach nobody's browser. */
import { longestNetworkUrl } from '../../contracts/channels.ts';

/** As URL parsers read it where they would not read what is written: without control characters and white space. */
const plain = (text: string): string | undefined =>
  /[\p{C}\p{Z}]/u.test(text) ? URL.parse(text)?.href : URL.canParse(text) ? text : undefined;

/** Null for everything that is no HTTP URL. */
export function webUrlIn(text: string | null | undefined): string | null {
  if (!text || text.length > longestNetworkUrl || !/^https?:\/\//i.test(text)) return null;
  const url = plain(text);
  return url !== undefined && Buffer.byteLength(url) <= longestNetworkUrl ? url : null;
}
