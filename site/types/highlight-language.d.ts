/** A grammar of highlight.js. */
declare const grammar: unknown;
export default grammar;
