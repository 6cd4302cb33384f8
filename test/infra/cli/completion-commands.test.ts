/** The completion of commands in a shell, run in bash. */
import { spawnSync } from 'node:child_process';
import { expect, it, test } from 'vitest';
import { groups } from '../../../infra/cli/groups.ts';
import { runCommandLine } from '../../../infra/cli/run-command-line.ts';
import { taskTypes } from '../../../shared/contracts/task-types.ts';

const scriptFor = async (shell: string) => (await runCommandLine(['completion', shell])).stdout;

/** What bash offers for the last word of a line. */
async function offered(...words: string[]): Promise<string[]> {
  const quoted = ['admin', ...words].map((word) => `'${word}'`);
  const call = `COMP_WORDS=(${quoted.join(' ')}); COMP_CWORD=${words.length}; _admin ${[quoted[0], quoted.at(-1), quoted.at(-2)].join(' ')}`;
  const run = `${await scriptFor('bash')}\n${call}; printf '%s\\n' "\${COMPREPLY[@]}"`;
  // With a socket as input, bash could take itself for a remote shell and read the machine's own settings.
  const bash = spawnSync('bash', ['--norc', '-u', '-c', run], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const { status, stderr, stdout } = bash;
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.split('\n').filter(Boolean);
}

it('bash completes every command group, and the commands of each group', async () => {
  expect(await offered('')).toEqual(expect.arrayContaining(groups.map(({ name }) => name)));
  for (const group of groups.filter(({ isCommand }) => !isCommand)) {
    const names = (await group.load()).map(({ name }) => name);
    expect(await offered(group.name, ''), group.name).toEqual(names);
  }
});

test.each([
  ['the options of a command', ['task', 'list', '--a'], ['--account']],
  ['the options of a command that is its own group', ['find', '--j'], ['--json']],
  ['the values of an option', ['route', 'show', '--type', ''], taskTypes],
  ['the beginning of a value', ['price', 'set', '--type', 'image-u'], ['image-upscale']],
  ['the values of an operand', ['completion', 'z'], ['zsh']],
  ['the next option after a value', ['price', 'set', '--type', 'voice', '--n'], ['--name']],
])('bash completes %s', async (_, words, expected) => {
  expect(await offered(...words)).toEqual(expected);
});

it('zsh completes the same words as bash, through its own functions', async () => {
  const [bash, zsh] = await Promise.all([scriptFor('bash'), scriptFor('zsh')]);
  const lookUp = (script: string) => script.slice(0, script.indexOf('_admin()'));
  expect(lookUp(zsh)).toBe(lookUp(bash));
  expect(zsh).toContain('compdef _admin admin');
});
