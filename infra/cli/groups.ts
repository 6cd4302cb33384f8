/** The groups of commands, in the order of the help text. */
import type { Command } from './command.ts';

export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<readonly Command[]>;
}

export const groups: readonly CommandGroup[] = [
  {
    name: 'account',
    summary: 'Create, show and reconcile accounts, and lift their limits.',
    load: async () => (await import('./account-commands.ts')).accountCommands,
  },
  {
    name: 'token',
    summary: 'Create, list and revoke API tokens.',
    load: async () => (await import('./token-commands.ts')).tokenCommands,
  },
  {
    name: 'credits',
    summary: 'Grant and adjust credits.',
    load: async () => (await import('./credits-commands.ts')).creditsCommands,
  },
  {
    name: 'order',
    summary: 'Show, settle and cancel orders, and redrive payment events.',
    load: async () => (await import('./order-commands.ts')).orderCommands,
  },
  {
    name: 'case',
    summary: 'List, show and resolve payments that need a decision.',
    load: async () => (await import('./case-commands.ts')).caseCommands,
  },
  {
    name: 'subscription',
    summary: 'Show and cancel subscriptions.',
    load: async () => (await import('./subscription-commands.ts')).subscriptionCommands,
  },
  {
    name: 'connection',
    summary: 'Connect, show, synchronize and remove pages of Instagram and Facebook, and redrive their events.',
    load: async () => (await import('./connection-commands.ts')).connectionCommands,
  },
  {
    name: 'catalog',
    summary: 'Show and change plans, packs, coupons, prices, the Studio catalog, switches, routes and voices.',
    load: async () => (await import('./catalog-commands.ts')).catalogCommands,
  },
  {
    name: 'switch',
    summary: 'Switch operations on and off.',
    load: async () => (await import('./switch-commands.ts')).switchCommands,
  },
  {
    name: 'route',
    summary: 'Show routes with their circuits, and choose engines.',
    load: async () => (await import('./route-commands.ts')).routeCommands,
  },
  {
    name: 'task',
    summary: 'Show tasks, and fail those that are stuck.',
    load: async () => (await import('./task-commands.ts')).taskCommands,
  },
  {
    name: 'webhook',
    summary: 'Redeliver webhooks, redrive dead letters and rotate signing keys.',
    load: async () => (await import('./webhook-commands.ts')).webhookCommands,
  },
  {
    name: 'engine',
    summary: 'Set the API keys of engines, and check that every operation has a route that is ready.',
    load: async () => (await import('./engine-commands.ts')).engineCommands,
  },
  {
    name: 'content',
    summary: 'Certify the key that signs the Content Credentials of results.',
    load: async () => (await import('./content-commands.ts')).contentCommands,
  },
  {
    name: 'stage',
    summary: 'Show what a deployed stage still needs.',
    load: async () => (await import('./stage-commands.ts')).stageCommands,
  },
  {
    name: 'request',
    summary: 'Find requests in the logs of a stage.',
    load: async () => (await import('./request-commands.ts')).requestCommands,
  },
];
