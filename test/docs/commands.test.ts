/** Every command in the docs exists, and is run by a test or listed with the reason why it is not. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandRules } from './command-rules.ts';
import { codeIn, pages, quotedIn } from './pages.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Readonly<Record<string, string>> };

/** The commands in a code block, without programs that are passed to a command as its input. */
const linesOf = (code: string): string[] =>
  code
    .replaceAll(/ <<'(\w+)'\n[\s\S]*?\n\1$/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter(Boolean);

const isCommand = (text: string): boolean => /^([A-Z_]+=\S+ )*(npm|npx|aws|curl|cdk|git|apt|echo|node) /.test(text);

const commandsOn = (text: string): string[] => [
  ...codeIn(text, ['sh']).flatMap(linesOf),
  ...codeIn(text, ['console']).flatMap((code) => linesOf(code).flatMap((line) => /^\$ (.+)/.exec(line)?.[1] ?? [])),
  ...quotedIn(text).filter(isCommand),
];

const shown = pages.flatMap(({ path, text }) => commandsOn(text).map((line) => ({ path, line: line.trim() })));
const commands = [...new Map(shown.map((one) => [one.line, one])).values()];

test('the check of documented commands finds more than 150 commands', () => {
  expect(commands.length).toBeGreaterThan(150);
});

test.each(commands)('"$line" in $path is run by a test, or a reason is given why not', ({ line }) => {
  const rule = commandRules.find(({ command }) => command.test(line));
  expect(rule, line).toBeDefined();
});

test('every rule about documented commands matches a command in the documentation and names an existing file', () => {
  const idle = commandRules.filter(({ command }) => !commands.some(({ line }) => command.test(line)));
  expect(idle).toEqual([]);
  const missing = commandRules.filter((rule) => 'runBy' in rule && !existsSync(rule.runBy));
  expect(missing).toEqual([]);
});

const scriptOf = (line: string): string | undefined =>
  /\bnpm (?:run (?:--silent )?)?(?!ci\b|run\b)([\w:-]+)/.exec(line)?.[1];

test.each(commands.filter(({ line }) => /\bnpm (run|start|test)\b/.test(line)))(
  '"$line" in $path is a script of package.json',
  ({ line }) => {
    expect(Object.keys(scripts)).toContain(scriptOf(line));
  },
);

const testFiles = globSync('test/**/*.test.ts');
const isDeep = (file: string): boolean => file.endsWith('.deep.test.ts');

test.each(commands.filter(({ line }) => /npm (test|run test:deep) -- .*\btest\//.test(line)))(
  'each path in the test command "$line" of $path matches test files of its suite',
  ({ line }) => {
    const suite = testFiles.filter((file) => isDeep(file) === line.includes('test:deep'));
    for (const [path] of line.matchAll(/\btest\/[\w./-]+/g))
      expect(
        suite.some((file) => file.includes(path)),
        path,
      ).toBe(true);
  },
);
