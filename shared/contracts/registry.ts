/** Every operation of the API, from which routes, validation, documentation, client and tests are derived. */
import { accountContracts } from './account.ts';
import { billingContracts } from './billing.ts';
import { filesContracts } from './files.ts';
import { generateContracts } from './generate.ts';
import { batchContracts } from './generate-batch.ts';
import type { OperationContract } from './operation.ts';
import { pilotoCommentContracts } from './piloto-comments.ts';
import { pilotoMessageContracts } from './piloto-messages.ts';
import { publicContracts } from './public.ts';
import { publishedFileContracts } from './published-files.ts';
import { studioContracts } from './studio.ts';
import { studioCatalogContracts } from './studio-catalog.ts';
import { subscriptionContracts } from './subscriptions.ts';
import { taskEventsContracts } from './task-events.ts';
import { tasksContracts } from './tasks.ts';
import { usageContracts } from './usage.ts';

export const registry = {
  ...publicContracts,
  ...publishedFileContracts,
  ...accountContracts,
  ...billingContracts,
  ...subscriptionContracts,
  ...usageContracts,
  ...tasksContracts,
  ...taskEventsContracts,
  ...studioCatalogContracts,
  ...generateContracts,
  ...batchContracts,
  ...studioContracts,
  ...filesContracts,
  ...pilotoMessageContracts,
  ...pilotoCommentContracts,
} as const satisfies Record<string, OperationContract>;

export type Registry = typeof registry;
export type OperationId = keyof Registry;
