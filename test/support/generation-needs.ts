/** The dependencies of a generation request, with external parties that are never reached. */
import { Logger } from '@aws-lambda-powertools/logger';
import type { requestGeneration } from '../../shared/domain/generation/request-generation.ts';
import type { Stores } from '../../shared/domain/stores.ts';
import type { Outbound } from '../../shared/platform/outbound.ts';
import type { Workflow } from '../../shared/platform/workflow.ts';
import { recordedMetrics } from './recorded-metrics.ts';
import { testIds, testTime } from './test-table.ts';

export type GenerationNeeds = Parameters<typeof requestGeneration>[1];

const failed = () => Promise.reject(new Error('nothing is called here'));

export const unreachable: Outbound = { fetch: failed, open: failed, admits: async () => true };

export const idleWorkflow: Workflow = {
  start: async () => 'running',
  succeed: async () => true,
  fail: async () => true,
};

export const generationNeeds = (store: Stores, others: Partial<GenerationNeeds> = {}): GenerationNeeds => ({
  ...store,
  clock: { now: () => testTime },
  ids: testIds,
  logger: new Logger(),
  metrics: recordedMetrics(),
  outbound: unreachable,
  settings: { apiUrl: 'https://api.example', resultsUrl: 'https://results.example' },
  workflow: idleWorkflow,
  ...others,
});
