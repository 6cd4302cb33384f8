/** The part of highlight.js that the site uses; the package's own types need those of a browser's document. */
interface Highlighter {
  registerLanguage(name: string, grammar: unknown): void;
  getLanguage(name: string): unknown;
  highlight(text: string, options: { readonly language: string }): { readonly value: string };
}

declare const highlighter: Highlighter;
export default highlighter;
