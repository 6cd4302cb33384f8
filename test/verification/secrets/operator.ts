/** The operator's commands, correct and incorrect ones. */
import type { IssuedToken } from '../../../shared/domain/tokens/issue-token.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import { tokenCanaries } from './canaries.ts';
import type { World } from './world.ts';

export interface Opened extends IssuedToken {
  readonly accountId: string;
}

/** The account of the run. Its token is printed only here, on purpose. */
export async function openAccount(world: World): Promise<Opened> {
  const { accountName } = world.words;
  const owner = ['--email', `${accountName}@example.com`, '--name', accountName, '--credits', '10000'];
  const account = await world.command(['account', 'create', ...owner, '--json']);
  const { accountId } = JSON.parse(account.stdout) as { accountId: string };
  const main = ['--account', accountId, '--name', 'main', '--scopes', 'all'];
  const created = await world.command(['token', 'create', ...main, '--json'], 'in a process');
  const token = JSON.parse(created.stdout) as IssuedToken;
  world.printed.pop();
  world.canaries.push(...tokenCanaries(token));
  return { accountId, ...token };
}

/** Runs all commands that read, and passes secrets where the tool expects something else. */
export async function operate(world: World, { accountId, token, tokenId, webhookToken }: Opened, taskId: string) {
  const engineKey = world.service.environment[settingVariables.offlineEngineKey] ?? '';
  const commands = [
    ['account', 'show', '--account', accountId],
    ['account', 'list', '--json'],
    ['token', 'list', '--account', accountId],
    ['token', 'revoke', '--account', token, '--token', tokenId],
    ['credits', 'grant', '--account', accountId, '--amount', webhookToken, '--kind', 'bonus'],
    [token, webhookToken],
    ['task', 'show', '--task', taskId],
    ['task', 'show', '--task', taskId, '--key', engineKey, token],
    ['webhook', 'redeliver', '--task', taskId],
  ];
  for (const command of commands) await world.command(command);
  await world.command(['token', 'revoke', '--account', accountId, '--token', token, '--json'], 'in a process');
}

/** Switches the operation off: the responses to requests for it reveal only that. */
export const switchOff = (world: World) => world.command(['switch', 'set', 'voice', 'off']);
