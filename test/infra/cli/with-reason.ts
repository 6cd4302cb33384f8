/** Adds a reason to a command that needs one, because it changes something. */
import { groups } from '../../../infra/cli/groups.ts';

const reason = ['--reason', 'Tried by a test.'];

export async function withReason(args: readonly string[]): Promise<readonly string[]> {
  const [groupName = '', name = ''] = args;
  if (args.some((arg) => arg.startsWith('--reason'))) return args;
  const commands = (await groups.find((group) => group.name === groupName)?.load()) ?? [];
  return commands.find((command) => command.name === name)?.act === undefined ? args : [...args, ...reason];
}
