/** The operator's tool accepts every command that the pages show. */
import { describe, expect, test } from 'vitest';
import { parseCommandLine } from '../../infra/cli/parse-command-line.ts';
import { type Page, pages } from './pages.ts';

/** Placeholders for values that only the reader knows. */
const placeholder = /<\w*[iI]d>/g;
const someId = '01939f3a-0000-7000-8000-000000000000';
const someCaseId = '0193a5c5-1c2d-7e3f-8a4b-5c6d7e8f9a0b.0123456789abcdef';

const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

interface Shown {
  readonly path: string;
  readonly line: string;
}

/** The commands in code blocks or backticks, without shell syntax and the stage. */
function commandsOn({ path, text }: Page): Shown[] {
  const found = text.matchAll(/npm run (?:--silent )?admin -- ([^\n`]+)/g);
  return [...found].map(([, line = '']) => ({
    path,
    line: line.replace(/ [<>]\s.*$/, '').replace(/ --stage dev/, ''),
  }));
}

const shown = pages.flatMap(commandsOn).filter(({ line }) => !/^help|…/.test(line));

test('most operator commands occur in the documentation', () => {
  const commands = new Set(shown.map(({ line }) => line.split(' ', 2).join(' ')));
  expect(commands.size).toBeGreaterThanOrEqual(12);
});

describe('the command line accepts the documented command', () => {
  test.each(shown)('$line ($path)', async ({ line }) => {
    const args = wordsOf(line.replace('<caseId>', someCaseId).replace(placeholder, someId));
    expect(await parseCommandLine(args)).toHaveProperty('command');
  });
});
