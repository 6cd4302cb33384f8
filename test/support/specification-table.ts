/**
 * The specification of each operation, typed from its text and never derived from the code, so that the code can be
 * compared with it.
 */
import type { OperationId } from '../../shared/contracts/registry.ts';
import { specifiedBilling } from './specified-billing.ts';
import { specifiedBatch, specifiedGenerations, taskTypes } from './specified-generations.ts';
import {
  authenticated,
  everywhere,
  fields,
  listOf,
  pagedBy,
  readOnly,
  type SpecifiedOperation,
} from './specified-operation.ts';
import { specifiedPiloto } from './specified-piloto.ts';
import { taskStatuses, usageGroupings } from './specified-sets.ts';
import { specifiedStudio } from './specified-studio.ts';

const taskSummary = fields(`
  id taskType, label: string|null, status resultUrl?, results?: array, results[].url results[].contentType, results[].bytes
  results[].width? results[].height?: integer, results[].durationSec?: number, results[].posterUrl?
  results[].expiresAt, results[].provenance: object|null, results[].provenance.standard
  results[].provenance.digitalSourceType results[].provenance.signedBy, clips?: array, clips[].url, clips[].title clips[].hook: string|null, clips[].score
  clips[].startTime clips[].endTime: number|null, clientReference? influencerId?, test?: boolean, creditsUsed
  creditsRefunded progress: integer, error?: object, error.code error.message createdAt inputErasedAt? startedAt?
  completedAt?
`);

const task = {
  ...taskSummary,
  ...fields(`
    input webhook?: object, webhook.url webhook.status, webhook.attempts: array, webhook.attempts[].at,
    webhook.attempts[].statusCode: integer|null, webhook.attempts[].error: string|null,
    webhook.attempts[].durationMs: integer
  `),
};

export const specification: Readonly<Record<OperationId, SpecifiedOperation>> = {
  listPlans: {
    ...readOnly,
    path: '/api/v1/plans',
    scopes: [],
    cacheControl: 'public, s-maxage=60',
    errors: everywhere,
    data: fields(`
      plans: array, plans[].id plans[].name, plans[].priceMonthly plans[].priceAnnual: number,
      plans[].currency, plans[].credits: integer, plans[].features: array, plans[].features[],
      creditPacks: array, creditPacks[].id creditPacks[].name, creditPacks[].credits: integer,
      creditPacks[].price: number, creditPacks[].currency, creditPacks[].isPopular showAnnualToggle: boolean, annualBadge
    `),
  },
  listVoices: {
    ...readOnly,
    extension: true,
    path: '/api/v1/voices',
    scopes: [],
    cacheControl: 'public, s-maxage=300',
    errors: everywhere,
    data: fields(`
      voices: array, voices[].id, voices[].slug: string|null, voices[].name voices[].language voices[].gender,
      voices[].style voices[].previewUrl: string|null
    `),
  },
  getHealth: {
    ...readOnly,
    path: '/api/v1/health',
    scopes: [],
    errors: everywhere,
    data: fields('status version time, checks: object, checks.database checks.storage checks.queue'),
  },
  findProvenance: {
    ...readOnly,
    extension: true,
    path: '/api/v1/provenance/{sha256}',
    scopes: [],
    errors: { ...everywhere, NOT_FOUND: 404 },
    params: { sha256: { kind: 'digest', required: true } },
    data: fields('published: boolean, publishedAt medium digitalSourceType'),
  },
  getProfile: {
    ...readOnly,
    path: '/api/v1/profile',
    scopes: ['read:profile'],
    errors: authenticated,
    data: fields(`
      id email name, plan: object|null, plan.id plan.name, features: array, features[], limits: object,
      limits.requestsPerMinute limits.simultaneousTasks: integer, createdAt
    `),
  },
  listCreditHistory: {
    ...readOnly,
    path: '/api/v1/credits',
    scopes: ['read:usage'],
    errors: authenticated,
    ...pagedBy('sortable id'),
    data: fields(`
      balance: integer, history: array, history[].id, history[].amount: integer, history[].reason,
      history[].toolId: string|null, history[].description history[].createdAt, limit offset: integer
    `),
  },
  getUsage: {
    ...readOnly,
    extension: true,
    path: '/api/v1/usage',
    scopes: ['read:usage'],
    errors: authenticated,
    query: {
      from: { kind: 'day' },
      to: { kind: 'day' },
      groupBy: { kind: 'one of', values: usageGroupings, byDefault: 'day' },
    },
    data: fields(`
      from to, rows: array, rows[].day? rows[].taskType?, rows[].token?: string|null,
      rows[].tasks rows[].failed rows[].creditsUsed rows[].creditsRefunded: integer
    `),
  },
  listTasks: {
    ...readOnly,
    path: '/api/v1/tasks',
    scopes: ['read:tasks'],
    errors: authenticated,
    query: {
      ...pagedBy('sortable id').query,
      status: { kind: 'one of', values: ['queued', ...taskStatuses] },
      taskType: { kind: 'one of', values: taskTypes },
      clientReference: { kind: 'text', from: 1, to: 128 },
      ids: { kind: 'task ids', to: 20 },
    },
    extensions: ['tasktype', 'clientreference', 'ids', 'after'],
    data: listOf('tasks', taskSummary),
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
    // The token needs the scope of the operation that created the task.
    scopes: ['generate:image', 'generate:video', 'generate:audio'],
    extension: true,
    errors: { ...authenticated, NOT_FOUND: 404, TASK_NOT_CANCELABLE: 409 },
    params: { taskId: { kind: 'task id', required: true } },
    data: task,
  },
  deleteTask: {
    ...readOnly,
    method: 'DELETE',
    path: '/api/v1/tasks/{taskId}',
    // The token needs the scope of the operation that created the task.
    scopes: ['generate:image', 'generate:video', 'generate:audio'],
    extension: true,
    errors: { ...authenticated, NOT_FOUND: 404 },
    params: { taskId: { kind: 'task id', required: true } },
    data: fields('taskId, deleted: boolean'),
  },
  listTaskEvents: {
    ...readOnly,
    path: '/api/v1/tasks/{taskId}/events',
    scopes: ['read:tasks'],
    extension: true,
    errors: { ...authenticated, NOT_FOUND: 404 },
    params: { taskId: { kind: 'task id', required: true } },
    data: fields(`
      taskId, events: array, events[].at events[].type events[].actor, events[].credits? events[].statusCode?: integer,
      events[].message?
    `),
  },
  redeliverWebhook: {
    ...readOnly,
    method: 'POST',
    path: '/api/v1/tasks/{taskId}/redeliver',
    // The token needs the scope of the operation that created the task.
    scopes: ['generate:image', 'generate:video', 'generate:audio'],
    extension: true,
    success: 202,
    errors: { ...authenticated, NOT_FOUND: 404, WEBHOOK_NOT_DELIVERABLE: 409 },
    params: { taskId: { kind: 'task id', required: true } },
    data: fields('taskId status'),
  },
  getStudioCatalog: {
    ...readOnly,
    path: '/api/v1/studio/catalog',
    scopes: ['generate:video'],
    errors: authenticated,
    data: fields(`
      modes: array, modes[].slug modes[].name modes[].description, modes[].costsByResolution: object,
      modes[].costsByResolution.480p modes[].costsByResolution.720p: integer, modes[].speechPolicy
      modes[].avatarPolicy, hooks: array, hooks[].id hooks[].name hooks[].description, settings: array,
      settings[].id settings[].name settings[].description
    `),
  },
  ...specifiedBilling,
  ...specifiedGenerations,
  generateBatch: specifiedBatch,
  ...specifiedStudio,
  ...specifiedPiloto,
};
