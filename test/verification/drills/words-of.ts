/** Splits a command into words as a shell does, with single quotes only. */
export const wordsOf = (command: string): string[] =>
  [...command.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
