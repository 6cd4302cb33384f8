/** Reads and replaces the simulation's tables in docs/scale.md: its `text` blocks, in order. */
import { fileURLToPath } from 'node:url';

export const scalePage = fileURLToPath(new URL('../../docs/scale.md', import.meta.url));

const block = /^```text\n([\s\S]*?)\n```$/gm;

export const tablesIn = (page: string): readonly string[] => [...page.matchAll(block)].map(([, table = '']) => table);

/** The page with its tables replaced. @throws {Error} unless there are as many blocks as tables. */
export function withTables(page: string, tables: readonly string[]): string {
  const { length } = tablesIn(page);
  if (length !== tables.length) throw new Error(`The page has ${length} text blocks for ${tables.length} tables.`);
  const rest = tables.values();
  return page.replaceAll(block, () => `\`\`\`text\n${rest.next().value ?? ''}\n\`\`\``);
}
