/** Builds Markdown from parts of the contract. */

/** A table; a row's cells may contain inline Markdown. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map(
      (cells) => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')).join(' | ')} |`,
    )
    .join('\n');

export const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

export const fencedJson = (value: unknown): string => fenced('json', JSON.stringify(value, null, 2));

export const quoted = (text: string): string => `\`${text}\``;

/** Joins the blocks of a page. */
export const blocks = (...parts: readonly (string | false | undefined)[]): string =>
  parts.filter((part) => part !== false && part !== undefined && part !== '').join('\n\n');
