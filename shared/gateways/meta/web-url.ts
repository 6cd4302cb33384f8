/** URLs that people outside have chosen: what is not of the web, such as `javascript:`, must reach nobody's browser. */
import { longestNetworkUrl } from '../../contracts/channels.ts';

/** Null for everything that is no HTTP URL. */
export const webUrlIn = (text: string | null | undefined): string | null =>
  text && Buffer.byteLength(text) <= longestNetworkUrl && /^https?:\/\//i.test(text) && URL.canParse(text)
    ? text
    : null;
