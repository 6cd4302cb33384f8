/**
 * The specification of each operation, typed from its text and never derived from the code, so that the code can be
 * compared with it.
 */
import type { OperationId } from '../../shared/contracts/registry.ts';
import { specifiedGenerations } from './specified-generations.ts';
import { authenticated, everywhere, readOnly, type SpecifiedOperation } from './specified-operation.ts';
import { taskStatuses, taskTypes } from './specified-sets.ts';

const paging = {
  limit: { kind: 'query integer', from: 1, to: 100, byDefault: 20 },
  offset: { kind: 'query integer', from: 0, to: 10_000, byDefault: 0 },
} as const;

const taskSummary = {
  id: 'string',
  taskType: 'string',
  status: 'string',
  'resultUrl?': 'string',
  'results?': 'array',
  'results[].url': 'string',
  'results[].contentType': 'string',
  'results[].bytes': 'integer',
  'results[].width?': 'integer',
  'results[].height?': 'integer',
  'results[].durationSec?': 'number',
  'results[].posterUrl?': 'string',
  'clientReference?': 'string',
  'influencerId?': 'string',
  creditsUsed: 'integer',
  creditsRefunded: 'integer',
  progress: 'integer',
  'error?': 'object',
  'error.code': 'string',
  'error.message': 'string',
  createdAt: 'string',
  'startedAt?': 'string',
  'completedAt?': 'string',
};

const task = {
  ...taskSummary,
  input: 'object',
  'webhook?': 'object',
  'webhook.url': 'string',
  'webhook.status': 'string',
  'webhook.attempts': 'array',
  'webhook.attempts[].at': 'string',
  'webhook.attempts[].statusCode': 'integer|null',
  'webhook.attempts[].error': 'string|null',
  'webhook.attempts[].durationMs': 'integer',
};

const inList = (list: string, fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, type]) => [`${list}[].${name}`, type]));

export const specification: Readonly<Record<OperationId, SpecifiedOperation>> = {
  listPlans: {
    ...readOnly,
    path: '/api/v1/plans',
    scopes: [],
    cacheControl: 'public, s-maxage=60',
    errors: everywhere,
    data: {
      plans: 'array',
      'plans[].id': 'string',
      'plans[].name': 'string',
      'plans[].priceMonthly': 'number',
      'plans[].priceAnnual': 'number',
      'plans[].currency': 'string',
      'plans[].credits': 'integer',
      'plans[].features': 'array',
      'plans[].features[]': 'string',
      creditPacks: 'array',
      'creditPacks[].id': 'string',
      'creditPacks[].name': 'string',
      'creditPacks[].credits': 'integer',
      'creditPacks[].price': 'number',
      'creditPacks[].currency': 'string',
      'creditPacks[].isPopular': 'boolean',
      showAnnualToggle: 'boolean',
      annualBadge: 'string',
    },
  },
  getHealth: {
    ...readOnly,
    path: '/api/v1/health',
    scopes: [],
    errors: everywhere,
    data: {
      status: 'string',
      version: 'string',
      time: 'string',
      checks: 'object',
      'checks.database': 'string',
      'checks.storage': 'string',
      'checks.queue': 'string',
    },
  },
  getProfile: {
    ...readOnly,
    path: '/api/v1/profile',
    scopes: ['read:profile'],
    errors: authenticated,
    data: {
      id: 'string',
      email: 'string',
      name: 'string',
      plan: 'object|null',
      'plan.id': 'string',
      'plan.name': 'string',
      features: 'array',
      'features[]': 'string',
      limits: 'object',
      'limits.requestsPerMinute': 'integer',
      'limits.simultaneousTasks': 'integer',
      createdAt: 'string',
    },
  },
  listCreditHistory: {
    ...readOnly,
    path: '/api/v1/credits',
    scopes: ['read:usage'],
    errors: authenticated,
    query: paging,
    data: {
      balance: 'integer',
      history: 'array',
      'history[].id': 'string',
      'history[].amount': 'integer',
      'history[].reason': 'string',
      'history[].toolId': 'string|null',
      'history[].description': 'string',
      'history[].createdAt': 'string',
      limit: 'integer',
      offset: 'integer',
    },
  },
  listTasks: {
    ...readOnly,
    path: '/api/v1/tasks',
    scopes: ['read:tasks'],
    errors: authenticated,
    query: {
      ...paging,
      status: { kind: 'one of', values: ['queued', ...taskStatuses] },
      taskType: { kind: 'one of', values: taskTypes },
      clientReference: { kind: 'text', from: 1, to: 128 },
      ids: { kind: 'task ids', to: 20 },
      after: { kind: 'task id' },
    },
    extensions: ['tasktype', 'clientreference', 'ids', 'after'],
    data: { tasks: 'array', ...inList('tasks', taskSummary), limit: 'integer', offset: 'integer' },
  },
  getTask: {
    ...readOnly,
    path: '/api/v1/tasks/{taskId}',
    scopes: ['read:tasks'],
    errors: { ...authenticated, NOT_FOUND: 404 },
    params: { taskId: { kind: 'task id', required: true } },
    data: task,
  },
  cancelTask: {
    ...readOnly,
    method: 'POST',
    path: '/api/v1/tasks/{taskId}/cancel',
    // A token needs the scope of the operation that created the task.
    scopes: [...new Set(Object.values(specifiedGenerations).flatMap(({ scopes }) => scopes))],
    extension: true,
    errors: { ...authenticated, NOT_FOUND: 404, TASK_NOT_CANCELABLE: 409 },
    params: { taskId: { kind: 'task id', required: true } },
    data: task,
  },
  ...specifiedGenerations,
};
