/** Schemas of a task that apply only to one of its types or statuses. */
import { withOneOf } from '../fields.ts';
import { generateContracts } from '../generate.ts';
import type { GenerationContract } from '../generation-contract.ts';
import { longestValue, pascalCase } from './named-parts.ts';
import { type Json, reference, type Schemas } from './schemas.ts';

type Components = Readonly<Record<string, Json>>;

const contracts: readonly GenerationContract[] = Object.values(generateContracts);

const member = (components: Components, name: string): Json =>
  (components.Task?.properties as Components | undefined)?.[name] ?? {};

/**
 * The properties of a variant are only some of a task's: validators that reject unknown properties must not apply that
 * rule here.
 */
const amongOthers = { unevaluatedProperties: true };

/** A schema with some members of a task, all of them required. */
function view(components: Components, description: string, certain: Components, required: readonly string[]): Json {
  const others = required.map((name) => [name, member(components, name)]);
  return {
    type: 'object',
    description,
    properties: { ...certain, ...Object.fromEntries(others) },
    required: [...Object.keys(certain), ...required],
    ...amongOthers,
  };
}

const constant = (value: string, description: string): Json => ({ type: 'string', const: value, description });

const byStatus = (components: Components): Components => ({
  CompletedTask: view(
    components,
    'The properties that a task has only once it is completed.',
    { status: constant('completed', 'The task is completed.') },
    ['resultUrl', 'results', 'completedAt'],
  ),
  FailedTask: view(
    components,
    'The properties that a task has only if it failed.',
    { status: constant('failed', 'The task has failed and was refunded.') },
    ['error', 'completedAt'],
  ),
});

const nameOf = ({ $ref }: Json): string => String($ref).split('/').at(-1) ?? '';

/** Replaces a reference by the schema it refers to, keeping the keywords beside the reference. */
const resolved = (schema: Json, components: Components): Json => {
  const { $ref: _, ...own } = { ...components[nameOf(schema)], ...schema };
  return own;
};

/** Removes restrictions to the currently accepted values: later versions of the request may accept more. */
function open(property: Json): Json {
  const { default: _byDefault, enum: values, items, pattern, ...rest } = property;
  if (items) return { ...rest, items: open(items as Json) };
  if (rest.format === 'uri' || (!values && !pattern)) return rest;
  return { ...rest, ...(rest.type === 'string' ? { maxLength: longestValue } : { minimum: 0, maximum: 2 ** 31 - 1 }) };
}

/**
 * The request as a task returns it. Fields with a default are optional, because the task may be older than the field.
 */
const inputOf = (request: Json, components: Components): Json => ({
  ...request,
  description: 'The known fields of the accepted request, with defaults filled in.',
  properties: Object.fromEntries(
    Object.entries(request.properties as Components).map(([name, property]) => [
      name,
      open(resolved(property, components)),
    ]),
  ),
});

function byType(schemas: Schemas): Components {
  const found: Record<string, Json> = {};
  for (const { body, operationId, taskType } of contracts) {
    const name = `${pascalCase(taskType)}Task`;
    const request = schemas.components()[nameOf(schemas.request(body))];
    if (!request) throw new Error(`the body of ${operationId} has no name`);
    found[`${name}Input`] = inputOf(request, schemas.components());
    found[name] = view(
      {},
      `The properties specific to tasks of the type \`${taskType}\`, as long as the input is not erased.`,
      {
        taskType: constant(taskType, 'The type of the task.'),
        input: { ...reference(`${name}Input`), description: 'The request.' },
      },
      [],
    );
  }
  return found;
}

const is = (values: Readonly<Record<string, string>>): Json => ({
  properties: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { const: value }])),
  ...amongOthers,
});

const whenever = (condition: Json, schema: Json): Json =>
  Object.fromEntries([
    ['if', condition],
    // oxlint-disable-next-line unicorn/no-thenable -- it is a keyword of JSON Schema
    ['then', schema],
  ]);

const when = (values: Readonly<Record<string, string>>, schema: Json): Json => whenever(is(values), schema);

/** A task whose input was erased has none of the fields that its request had to have. */
const notErased: Json = {
  not: { properties: { inputErasedAt: {} }, required: ['inputErasedAt'], ...amongOthers },
};

/**
 * The variants are conditions instead of `oneOf`: with `oneOf`, a generated client would reject a task of a type or
 * status it does not know.
 */
const ofStatus = {
  allOf: [
    when({ status: 'completed' }, reference('CompletedTask')),
    when({ status: 'failed' }, reference('FailedTask')),
    when({ status: 'completed', taskType: 'cortes' }, withOneOf('clips')),
    when({ status: 'completed', taskType: 'influencer' }, withOneOf('influencerId')),
  ],
};

const ofType = {
  allOf: contracts.map(({ taskType }) =>
    whenever({ ...is({ taskType }), ...notErased }, reference(`${pascalCase(taskType)}Task`)),
  ),
};

const conditions = {
  status: ofStatus,
  clips: is({ status: 'completed', taskType: 'cortes' }),
  influencerId: is({ status: 'completed', taskType: 'influencer' }),
};

/** Adds the schemas for each type and status to the components. */
export function withTaskVariants(schemas: Schemas): Components {
  const types = byType(schemas);
  const components = schemas.components();
  return {
    ...components,
    ...types,
    ...byStatus(components),
    Task: { ...components.Task, dependentSchemas: { ...conditions, taskType: ofType } },
    TaskSummary: { ...components.TaskSummary, dependentSchemas: conditions },
  };
}
