/** Commands on the engines' keys. */
import { text } from 'node:stream/consumers';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { engineNames } from '../aws/stages.ts';
import { type CommandGroup, command, required } from './command.ts';
import { refused } from './exit-error.ts';
import { requireDeployment } from './service.ts';
import { oneOf } from './value-kinds.ts';

/** How long functions work with the value that they have read. */
const effectiveWithinMinutes = 5;

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** One line, as a file or a pipe has it; an argument would be in everybody's list of processes. */
async function keyFromInput(): Promise<string> {
  const key = (await text(process.stdin)).trim();
  if (!/^[\x21-\x7e]{8,4096}$/.test(key)) {
    throw refused('The key is read from standard input, and must be one line of at least 8 visible characters.');
  }
  return key;
}

const setKey = command({
  name: 'set-key',
  summary: `Replaces an engine's key by the one on standard input; functions use it within ${effectiveWithinMinutes} minutes.`,
  options: { engine: required(oneOf('ENGINE', engineNames), 'Whose key.') },
  async run({ engine }, service) {
    const { outputs } = requireDeployment(service);
    const SecretId = outputs[`${capitalized(engine)}EngineSecret`];
    if (!SecretId) throw refused(`This stage has no engine ${engine}.`);
    const { VersionId } = await new SecretsManagerClient().send(
      new PutSecretValueCommand({ SecretId, SecretString: await keyFromInput() }),
    );
    return { engine, secret: SecretId, version: VersionId, effectiveWithinMinutes };
  },
  print: ({ engine }) => `The key of ${engine} is replaced; functions use it within ${effectiveWithinMinutes} minutes.`,
});

export const engineCommands: CommandGroup = {
  name: 'engine',
  summary: 'Replaces the keys of engines.',
  commands: [setKey],
};
