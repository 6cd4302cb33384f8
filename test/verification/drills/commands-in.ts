/** The commands in a section of a page of the documentation, in their order. */
import { readFileSync } from 'node:fs';
import type { Drill } from './drill.ts';

/** The text below a heading, up to the next heading of the same or a higher level. @throws {Error} if it is missing */
function sectionOf(text: string, heading: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  if (start < 0) throw new Error(`There is no heading "${heading}".`);
  const level = /^#+/.exec(lines[start] ?? '')?.[0].length ?? 0;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^#+ /.test(line) && (/^#+/.exec(line)?.[0].length ?? 0) <= level);
  return rest.slice(0, end < 0 ? undefined : end).join('\n');
}

export function commandsIn({ page, heading }: Pick<Drill, 'page' | 'heading'>): string[] {
  const section = sectionOf(readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8'), heading);
  return [...section.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].flatMap(([, code = '']) =>
    code
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  );
}
