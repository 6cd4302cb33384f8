/** Each drill has its section, whose commands it can run, and each section of the page is a drill. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandsIn } from '../verification/drills/commands-in.ts';
import { drills } from '../verification/drills/drills.ts';

const all = Object.entries(drills);

test('each section of the page of drills is a drill', () => {
  const headings = [...readFileSync('docs/drills.md', 'utf8').matchAll(/^## (.+)$/gm)].map(
    ([, heading = '']) => heading,
  );
  const own = all.filter(([, { page }]) => page === 'docs/drills.md').map(([, { heading }]) => heading);
  expect(own.toSorted()).toEqual(headings.toSorted());
});

test.each(all)(
  'the calls of the drill %s begin, in order, with the commands in its section of the documentation',
  (name, drill) => {
    const file = readFileSync(`test/verification/drills/${name}.ts`, 'utf8');
    const begun = [...file.matchAll(/\brun(?:<[^(]*>)?\(\s*'([^']+)'/g)].map(([, start = '']) => start);
    // The smoke test is run by a function.
    const calls = begun.filter((start) => start !== 'API_URL=');
    const commands = commandsIn(drill).filter((command) => !command.startsWith('API_URL='));
    expect(commands).toHaveLength(calls.length);
    for (const [index, command] of commands.entries()) expect(command.startsWith(calls[index] ?? 'none')).toBe(true);
  },
);
