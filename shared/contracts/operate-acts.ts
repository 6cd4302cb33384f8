/** Operations for the acts of operators: performing them, their forms, and their log. */
import * as z from 'zod';
import { type ActGroup, actGroups } from './act-groups.ts';
import { exactly, Flag, id, idOf, jsonObject, limitAndOffset, oneOf, shortText, text, timestamp } from './fields.ts';
import { once } from './once.ts';
import type { OperateContract } from './operation.ts';
import { operatorRoles } from './operator-roles.ts';

/** How many characters a reason has. */
export const reasonLimits = { least: 3, most: 500 } as const;

const facts = () => z.record(z.string(), z.unknown()).nullable();

const ActEntry = once(() =>
  z
    .object({
      actId: id().describe('The id of the act.'),
      at: timestamp().describe('When it was performed.'),
      act: shortText().describe('The name of the act.'),
      operator: shortText(500).describe('Who performed it.'),
      role: z.enum(operatorRoles).describe('The role of the operator.'),
      reason: shortText(500).describe('Why.'),
      requestId: shortText().nullable().describe('The request; null on the command line.'),
      of: shortText().nullable().describe('The account or row of the catalog whose list also has the act.'),
      subject: shortText(500).describe('What it changed.'),
      state: z.enum(['begun', 'done', 'failed']).describe('`begun` was interrupted, or is still running.'),
      code: shortText().nullable().describe('Why it failed.'),
      before: facts().describe('What it found.'),
      after: facts().describe('What it changed that to.'),
      isShortened: z.boolean().describe('Whether `before` and `after` are left out because they are large.'),
    })
    .meta({ id: 'ActEntry' }),
);

const exampleId = '0193a5c4-7d2e-7b1a-9c3d-2f4e6a8b0c1d';
const exampleEntry = {
  actId: exampleId,
  at: '2026-11-21T12:00:00.000Z',
  act: 'grantCredits',
  operator: 'ana@example.com',
  role: 'support',
  reason: 'Makes up for the outage.',
  requestId: exampleId,
  of: `account/${exampleId}`,
  subject: `account ${exampleId}`,
  state: 'done',
  code: null,
  before: { balance: 0 },
  after: { granted: 50, kind: 'bonus' },
  isShortened: false,
} as const;

const Preview = once(() =>
  z
    .object({
      before: facts().describe('What the act would change.'),
      after: facts().describe('What it would change that to, as far as that is known in advance.'),
    })
    .meta({ id: 'ActPreview' }),
);

const ActBody = once(() =>
  exactly({
    reason: text(reasonLimits.least, reasonLimits.most).describe(
      'Why, for the log of acts; without secrets, and without texts or addresses of customers.',
    ),
    input: jsonObject().describe('What the act needs, by its form.'),
  }),
);

const ActHeaders = once(() =>
  z.object({
    'x-dry-run': Flag().optional().describe('`true` changes and records nothing, and says what would change.'),
  }),
);

interface Example<Group extends ActGroup> {
  readonly act: (typeof actGroups)[Group][number];
  readonly input: Readonly<Record<string, unknown>>;
}

const subjects: Readonly<Record<ActGroup, string>> = {
  account: 'an account, its access or its credits',
  payment: 'an order, a subscription or a case',
  task: 'a task or its webhook',
  queue: 'a queue',
  connection: 'a connected page',
  admin: 'the catalog, or what only administrators change',
};

/** The operation that performs the acts of a group. */
const performing = <const Group extends ActGroup, const Id extends string, const Role extends 'support' | 'admin'>(
  group: Group,
  operationId: Id,
  operator: Role,
  { act, input }: Example<Group>,
) => {
  const params = once(() => z.object({ act: oneOf<(typeof actGroups)[Group]>(actGroups[group]) }));
  return {
    operationId,
    method: 'POST',
    path: `/operate/api/${group}-acts/{act}`,
    idempotent: true,
    operator,
    summary: `Perform an act on ${subjects[group]}`,
    description:
      'Performs the act once for each `Idempotency-Key`, which is required. It is recorded with its reason: together with its only write, or before the first of several steps. A request that is sent again returns the act’s entry in the log, whose `state` says how it ended.',
    get params() {
      return params();
    },
    get headers() {
      return ActHeaders();
    },
    get body() {
      return ActBody();
    },
    success: {
      status: 200,
      get data() {
        return ActEntry();
      },
    },
    get dryRun() {
      return Preview();
    },
    errors: ['NOT_FOUND', 'IDEMPOTENCY_CONFLICT', 'PROVIDER_UNAVAILABLE', 'WEBHOOK_NOT_DELIVERABLE'],
    example: {
      params: { act },
      body: { reason: 'Makes up for the outage.', input },
      data: exampleEntry,
      dryRun: { before: exampleEntry.before, after: exampleEntry.after },
    },
  } as const;
};

const Acts = once(() =>
  z.object({ acts: z.array(ActEntry()).max(100).describe('Newest first.') }).meta({ id: 'Acts' }),
);

const ActForm = once(() =>
  z
    .object({
      act: shortText().describe('The name of the act.'),
      group: oneOf(Object.keys(actGroups) as [ActGroup]).describe('Which operation performs it.'),
      role: z.enum(operatorRoles).describe('The least role that may perform it.'),
      summary: shortText(500).describe('What it does.'),
      input: z.record(z.string(), z.unknown()).describe('The JSON Schema of its input.'),
    })
    .meta({ id: 'ActForm' }),
);

const ActForms = once(() => z.object({ forms: z.array(ActForm()).max(100) }).meta({ id: 'ActForms' }));

const GrantRequest = once(() =>
  z
    .object({
      requestId: id().describe('The id of the request.'),
      accountId: shortText().describe('The account that would get the credits.'),
      amount: z.int().min(1).describe('How many credits.'),
      kind: shortText().describe('What the history of the account would show.'),
      reason: shortText(500).describe('Why.'),
      requestedBy: shortText(500).describe('Who requested it, and cannot approve it.'),
      requestedAt: timestamp().describe('When it was requested.'),
      validUntil: timestamp().describe('Until when it can be decided.'),
    })
    .meta({ id: 'GrantRequest' }),
);

const GrantRequests = once(() =>
  z.object({ requests: z.array(GrantRequest()).max(1000).describe('Oldest first.') }).meta({ id: 'GrantRequests' }),
);

const ListQuery = once(() =>
  z.object({
    account: idOf('account', 'test-')
      .optional()
      .describe('Only acts about this account, or about its test account: `test-` before the id.'),
    row: shortText(60).optional().describe('Only acts about this row of the catalog: its history.'),
    limit: limitAndOffset().limit,
    before: idOf('act').optional().describe('Only acts before this one.'),
  }),
);

const actParams = once(() => z.object({ actId: idOf('act') }));

export const operateActContracts = {
  listActForms: {
    operationId: 'listActForms',
    method: 'GET',
    path: '/operate/api/act-forms',
    idempotent: false,
    operator: 'viewer',
    summary: 'List the acts that pages offer',
    description: 'What each act does, who may perform it, and the schema of what it needs.',
    success: {
      status: 200,
      get data() {
        return ActForms();
      },
    },
    errors: [],
    example: { data: { forms: [] } },
  },
  listActs: {
    operationId: 'listActs',
    method: 'GET',
    path: '/operate/api/acts',
    idempotent: false,
    operator: 'viewer',
    summary: 'List what operators did',
    description: 'The log of acts, newest first: all of them, or those about an account or a row of the catalog.',
    get query() {
      return ListQuery();
    },
    success: {
      status: 200,
      rows: 'acts',
      get data() {
        return Acts();
      },
    },
    errors: [],
    example: { data: { acts: [exampleEntry] } },
  },
  getAct: {
    operationId: 'getAct',
    method: 'GET',
    path: '/operate/api/acts/{actId}',
    idempotent: false,
    operator: 'viewer',
    summary: 'Get an act',
    description: 'An act with everything that it changed.',
    get params() {
      return actParams();
    },
    success: {
      status: 200,
      get data() {
        return ActEntry();
      },
    },
    errors: ['NOT_FOUND'],
    example: { params: { actId: exampleId }, data: exampleEntry },
  },
  listGrantRequests: {
    operationId: 'listGrantRequests',
    method: 'GET',
    path: '/operate/api/grant-requests',
    idempotent: false,
    operator: 'viewer',
    summary: 'List the grants that wait for approval',
    description: 'Grants of credits above the limit of a day, which a second operator approves or declines.',
    success: {
      status: 200,
      get data() {
        return GrantRequests();
      },
    },
    errors: [],
    example: { data: { requests: [] } },
  },
  performAccountAct: performing('account', 'performAccountAct', 'support', {
    act: 'grantCredits',
    input: { account: exampleId, amount: 50, kind: 'bonus' },
  }),
  performPaymentAct: performing('payment', 'performPaymentAct', 'support', {
    act: 'settleOrder',
    input: { order: exampleId },
  }),
  performTaskAct: performing('task', 'performTaskAct', 'support', { act: 'failTask', input: { task: exampleId } }),
  performQueueAct: performing('queue', 'performQueueAct', 'admin', {
    act: 'redriveDeadLetters',
    input: { queue: 'webhooks' },
  }),
  performConnectionAct: performing('connection', 'performConnectionAct', 'support', {
    act: 'syncConnection',
    input: { account: exampleId, channel: 'instagram' },
  }),
  performAdminAct: performing('admin', 'performAdminAct', 'admin', {
    act: 'switchOperation',
    input: { type: 'voice', state: 'off' },
  }),
} as const satisfies Record<string, OperateContract>;

/** Which operation performs the acts of each group. */
export const performers = {
  account: operateActContracts.performAccountAct,
  payment: operateActContracts.performPaymentAct,
  task: operateActContracts.performTaskAct,
  queue: operateActContracts.performQueueAct,
  connection: operateActContracts.performConnectionAct,
  admin: operateActContracts.performAdminAct,
} as const satisfies Record<ActGroup, OperateContract>;
