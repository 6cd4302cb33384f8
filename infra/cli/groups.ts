/** All commands, in the order of the help. */
import { accountCommands } from './account-commands.ts';
import type { CommandGroup } from './command.ts';
import { creditsCommands } from './credits-commands.ts';
import { engineCommands } from './engine-commands.ts';
import { requestCommands } from './request-commands.ts';
import { routeCommands } from './route-commands.ts';
import { switchCommands } from './switch-commands.ts';
import { taskCommands } from './task-commands.ts';
import { tokenCommands } from './token-commands.ts';
import { webhookCommands } from './webhook-commands.ts';

export const groups: readonly CommandGroup[] = [
  accountCommands,
  tokenCommands,
  creditsCommands,
  switchCommands,
  routeCommands,
  taskCommands,
  webhookCommands,
  engineCommands,
  requestCommands,
];
