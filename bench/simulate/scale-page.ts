/** The page on scale, and the tables that it quotes from the simulation: its blocks of `text`, in their order. */
import { fileURLToPath } from 'node:url';

export const scalePage = fileURLToPath(new URL('../../docs/scale.md', import.meta.url));

const block = /^```text\n([\s\S]*?)\n```$/gm;

export const tablesIn = (page: string): readonly string[] => [...page.matchAll(block)].map(([, table = '']) => table);

/** The page with other tables. @throws {Error} when it has not as many blocks as there are tables. */
export function withTables(page: string, tables: readonly string[]): string {
  const { length } = tablesIn(page);
  if (length !== tables.length) throw new Error(`the page has ${length} blocks of text for ${tables.length} tables`);
  const rest = tables.values();
  return page.replaceAll(block, () => `\`\`\`text\n${rest.next().value ?? ''}\n\`\`\``);
}
