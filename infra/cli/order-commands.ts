/** The commands for orders. */
import type { Command } from './command.ts';
import { redriveTo } from './redrive.ts';

export const orderCommands: readonly Command[] = [redriveTo('queue of payment events')];
