/** The groups of commands, in the order of the help text. */
import type { Command } from './command.ts';

export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  /** Whether the group is a single command of the same name. */
  readonly isCommand?: true;
  readonly load: () => Promise<readonly Command[]>;
}

export const groups: readonly CommandGroup[] = [
  {
    name: 'find',
    summary: 'Find anything by whatever names it: an address, a name, an id, a reference, a payment, a page.',
    isCommand: true,
    load: async () => (await import('./find-commands.ts')).findCommands,
  },
  {
    name: 'status',
    summary: 'Say whether anything is stuck.',
    isCommand: true,
    load: async () => (await import('./status-commands.ts')).statusCommands,
  },
  {
    name: 'account',
    summary: 'Create, show, list, reconcile and index accounts, and lift their limits.',
    load: async () => (await import('./account-commands.ts')).accountCommands,
  },
  {
    name: 'token',
    summary: 'Create, list and revoke API tokens.',
    load: async () => (await import('./token-commands.ts')).tokenCommands,
  },
  {
    name: 'credits',
    summary: 'List, grant and adjust credits, and decide about large grants.',
    load: async () => (await import('./credits-commands.ts')).creditsCommands,
  },
  {
    name: 'figures',
    summary: 'Show what a day brought and what its engines charge.',
    load: async () => (await import('./figures-commands.ts')).figuresCommands,
  },
  {
    name: 'order',
    summary: 'Show, settle and cancel orders.',
    load: async () => (await import('./order-commands.ts')).orderCommands,
  },
  {
    name: 'case',
    summary: 'List, show and resolve payments that need a decision.',
    load: async () => (await import('./case-commands.ts')).caseCommands,
  },
  {
    name: 'subscription',
    summary: 'List, show and cancel subscriptions.',
    load: async () => (await import('./subscription-commands.ts')).subscriptionCommands,
  },
  {
    name: 'connection',
    summary: 'Connect, show, synchronize and remove pages of Instagram and Facebook.',
    load: async () => (await import('./connection-commands.ts')).connectionCommands,
  },
  {
    name: 'catalog',
    summary:
      'Show, change and undo changes of plans, packs, coupons, prices, the Studio catalog, switches, routes, voices and engine prices.',
    load: async () => (await import('./catalog-commands.ts')).catalogCommands,
  },
  {
    name: 'switch',
    summary: 'Show which task types are switched off, and switch them on and off.',
    load: async () => (await import('./switch-commands.ts')).switchCommands,
  },
  {
    name: 'route',
    summary: 'Show routes with their circuits, and choose engines.',
    load: async () => (await import('./route-commands.ts')).routeCommands,
  },
  {
    name: 'price',
    summary: 'Show and set the prices of task types.',
    load: async () => (await import('./price-commands.ts')).priceCommands,
  },
  {
    name: 'task',
    summary: 'List and show tasks, and fail those that are stuck.',
    load: async () => (await import('./task-commands.ts')).taskCommands,
  },
  {
    name: 'webhook',
    summary: 'Redeliver webhooks and rotate signing keys.',
    load: async () => (await import('./webhook-commands.ts')).webhookCommands,
  },
  {
    name: 'queue',
    summary: 'List the queues, show their dead letters and redrive them.',
    load: async () => (await import('./queue-commands.ts')).queueCommands,
  },
  {
    name: 'act',
    summary: 'List and show what operators did, and why.',
    load: async () => (await import('./act-commands.ts')).actCommands,
  },
  {
    name: 'operator',
    summary: "List and end operators' sessions.",
    load: async () => (await import('./operator-commands.ts')).operatorCommands,
  },
  {
    name: 'engine',
    summary: 'Set the API keys of engines, check that every operation has a route that is ready, and record voices.',
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
  {
    name: 'completion',
    summary: 'Print a script that completes these commands in a shell.',
    isCommand: true,
    load: async () => (await import('./completion-commands.ts')).completionCommands,
  },
];
