/** What functions that end or erase tasks have in common in the permission table. */
import type { FunctionGrants } from './function-grants.ts';

/** Ends a task and updates its route's circuit; every function that may end a task has these permissions. */
export const endsTasks = {
  table: {
    get: ['task'],
    // A failed task's refund may go to cases about missing credits.
    getMany: ['case'],
    query: ['circuit', 'task'],
    put: ['ledger'],
    check: ['case'],
    update: ['task', 'account', 'case', 'figures', 'spending', 'circuit'],
  },
  webhookQueue: ['send'],
  workflow: ['succeed'],
  secrets: ['engines'],
  conversion: ['stop'],
  knows: ['engines', 'urlPolicy'],
} as const satisfies FunctionGrants;

/** Erases deleted tasks: their rows are replaced, their files deleted. */
export const erasesTasks = { inputs: ['readWork', 'deleteWork'], results: ['erase'] } as const satisfies FunctionGrants;
