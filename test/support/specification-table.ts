/**
 * The specification by hand: what it says of each operation, typed from its text and never derived from the code, so
 * that the code can be held against it.
 */
import type { OperationId } from '../../shared/contracts/registry.ts';
import { taskStatuses, voiceSlugs } from './specified-sets.ts';

/** What a field accepts; lengths in Unicode code points. */
export type Limit =
  | { readonly kind: 'text'; readonly from: number; readonly to?: number; readonly required?: true }
  | { readonly kind: 'number'; readonly from: number; readonly to: number; readonly byDefault: number }
  | { readonly kind: 'query integer'; readonly from: number; readonly to: number; readonly byDefault: number }
  | { readonly kind: 'one of'; readonly values: readonly string[]; readonly anyCase?: true }
  | { readonly kind: 'url' }
  | { readonly kind: 'task id'; readonly required: true }
  | { readonly kind: 'task ids'; readonly to: number };

export interface SpecifiedOperation {
  readonly method: string;
  readonly path: string;
  /** Any one of these admits; none means public. */
  readonly scopes: readonly string[];
  readonly success: number;
  readonly cacheControl: string;
  readonly idempotent: boolean;
  readonly extension: boolean;
  /** Query names beyond the specification, in lower case. */
  readonly extensions?: readonly string[];
  /** Whether `X-Dry-Run: true` is answered with 200. */
  readonly dryRun: boolean;
  readonly errors: Readonly<Record<string, number>>;
  readonly params: Readonly<Record<string, Limit>>;
  readonly query: Readonly<Record<string, Limit>>;
  readonly headers: Readonly<Record<string, Limit>>;
  readonly body: Readonly<Record<string, Limit>>;
  /** The fields of `data` by path, with their types; `?` marks what may be absent. */
  readonly data: Readonly<Record<string, string>>;
}

const everywhere = { RATE_LIMITED: 429, INTERNAL_ERROR: 500 };
const authenticated = { UNAUTHORIZED: 401, FORBIDDEN: 403, ...everywhere };

const readOnly = {
  method: 'GET',
  success: 200,
  cacheControl: 'no-store',
  idempotent: false,
  extension: false,
  dryRun: false,
  params: {},
  query: {},
  headers: {},
  body: {},
} as const;

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
  'clientReference?': 'string',
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
    errors: { ...authenticated, VALIDATION_ERROR: 400 },
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
    errors: { ...authenticated, VALIDATION_ERROR: 400 },
    query: {
      ...paging,
      status: { kind: 'one of', values: ['queued', ...taskStatuses] },
      taskType: { kind: 'one of', values: ['voice'] },
      clientReference: { kind: 'text', from: 1, to: 128 },
      ids: { kind: 'task ids', to: 20 },
    },
    extensions: ['tasktype', 'clientreference', 'ids'],
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
    scopes: ['generate:audio'],
    extension: true,
    errors: { ...authenticated, NOT_FOUND: 404, TASK_NOT_CANCELABLE: 409 },
    params: { taskId: { kind: 'task id', required: true } },
    data: task,
  },
  generateVoice: {
    ...readOnly,
    method: 'POST',
    path: '/api/v1/generate/voice',
    scopes: ['generate:audio'],
    success: 202,
    idempotent: true,
    dryRun: true,
    errors: {
      ...authenticated,
      VALIDATION_ERROR: 400,
      INSUFFICIENT_CREDITS: 402,
      MAX_CONCURRENT_TASKS: 429,
      GENERATION_FAILED: 502,
      PROVIDER_UNAVAILABLE: 503,
    },
    headers: {
      'x-client-reference': { kind: 'text', from: 1, to: 128 },
      'x-dry-run': { kind: 'one of', values: ['true', 'false'] },
    },
    body: {
      text: { kind: 'text', from: 1, to: 2000, required: true },
      voice: { kind: 'one of', values: voiceSlugs, anyCase: true },
      voiceId: { kind: 'text', from: 1 },
      stability: { kind: 'number', from: 0, to: 1, byDefault: 0.5 },
      similarityBoost: { kind: 'number', from: 0, to: 1, byDefault: 0.75 },
      callbackUrl: { kind: 'url' },
    },
    data: { taskId: 'string', status: 'string' },
  },
};
