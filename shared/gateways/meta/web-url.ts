/** URLs that people outside have chosen: what is not of the web, such as `javascript:`, must reach nobody's browser. */

const longest = 4096;

/** Null for everything that is no HTTP URL. */
export const webUrlIn = (text: string | null | undefined): string | null =>
  text && text.length <= longest && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
