import { describe, expect, it, test } from 'vitest';
import type * as z from 'zod';
import { type ErrorCode, errors, taskErrors } from '../../shared/contracts/errors.ts';
import { idempotencyKey } from '../../shared/contracts/fields.ts';
import { generateContracts } from '../../shared/contracts/generate.ts';
import { clipCountOf, clipSource } from '../../shared/contracts/generate-cortes.ts';
import { type GenerationContract, isPricedByFile } from '../../shared/contracts/generation-contract.ts';
import { attemptsPerSeries, deliverySeriesLimit } from '../../shared/contracts/limits.ts';
import { errorsOf, type OperationContract } from '../../shared/contracts/operation.ts';
import { type OperationId, registry } from '../../shared/contracts/registry.ts';
import { scopes } from '../../shared/contracts/scopes.ts';
import { Task } from '../../shared/contracts/task.ts';
import { taskStatuses } from '../../shared/contracts/task-statuses.ts';
import { TaskCompleted, TaskFailed } from '../../shared/contracts/webhooks.ts';
import { samplesOf } from '../support/limit-samples.ts';
import { specification } from '../support/specification-table.ts';
import * as specified from '../support/specified-sets.ts';

const contracts = Object.entries<OperationContract>(registry) as [OperationId, OperationContract][];

const parts = ['params', 'query', 'headers', 'body'] as const;
type Part = (typeof parts)[number];

const fieldsOf = (contract: OperationContract, part: Part): readonly string[] =>
  Object.keys((contract[part] as z.ZodObject | undefined)?.shape ?? {});

const statusesOf = (codes: readonly ErrorCode[]) =>
  Object.fromEntries(codes.map((code) => [code, errors[code].status]));

const described = (contract: OperationContract) => ({
  method: contract.method,
  path: contract.path,
  scopes: contract.scopes,
  success: contract.success.status,
  cacheControl: contract.success.cacheControl ?? 'no-store',
  idempotent: contract.idempotent,
  extension: contract.extension ?? false,
  dryRun: contract.dryRun !== undefined,
  errors: statusesOf(errorsOf(contract)),
});

describe('the contract registry', () => {
  it('has exactly the operations of the specification, each under its own operationId', () => {
    expect(contracts.map(([id]) => id).toSorted()).toEqual(Object.keys(specification).toSorted());
    for (const [id, contract] of contracts) expect(contract.operationId).toBe(id);
  });

  it.each(contracts)('describes %s as the specification does', (id, contract) => {
    expect({ ...specification[id], ...described(contract) }).toEqual(specification[id]);
  });

  it.each(contracts)('accepts exactly the specified fields in a request of %s', (id, contract) => {
    for (const part of parts) {
      expect(fieldsOf(contract, part).toSorted()).toEqual(Object.keys(specification[id][part]).toSorted());
    }
  });

  it.each(contracts)('declares only path parameters of %s that occur in its path', (_id, { path, params }) => {
    expect([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(Object.keys(params?.shape ?? {}));
  });
});

test('an operation is priced by its input file if and only if the billed duration is not in the request', () => {
  const generations = Object.values(generateContracts) as GenerationContract[];
  for (const contract of generations) {
    const { paidSeconds } = contract;
    const field = typeof paidSeconds === 'object' ? paidSeconds?.measured : paidSeconds;
    if (typeof field !== 'string') continue;
    expect(isPricedByFile(contract), contract.operationId).toBe(!fieldsOf(contract, 'body').includes(field));
  }
  const priced = generations.filter(isPricedByFile).map(({ operationId }) => operationId);
  expect(priced.toSorted()).toEqual(['changeVoice', 'generateCortes', 'imitateVideo']);
});

describe('the contract of a published task', () => {
  const { example } = registry.getTask;
  const expiresAt = '2027-02-19T12:00:00.000Z';
  const result = {
    url: 'https://media.example/1.png',
    contentType: 'image/png',
    bytes: 1,
    provenance: null,
    expiresAt,
  };
  const accepts = (given: object) => Task().safeParse({ ...example.data, ...given }).success;
  const results = (count: number) => ({ results: Array.from({ length: count }, () => result) });

  it('allows as many results as any operation can have', () => {
    const counts = Object.entries(specification).flatMap(([id, { body }]) => {
      const { resultCountField } = registry[id as OperationId] as Partial<GenerationContract>;
      const limit = Object.entries(body).find(([name]) => name === resultCountField)?.[1];
      return limit && 'to' in limit ? [limit.to] : [];
    });
    expect(counts).toContain(4);
    for (const count of [...counts, clipCountOf(clipSource.maxSeconds)]) expect(accepts(results(count))).toBe(true);
    expect(accepts(results(1000))).toBe(false);
  });

  it('allows as many delivery attempts as a webhook can have', () => {
    const attempt = { at: '2026-11-21T12:00:00.000Z', statusCode: 500, error: 'status 500', durationMs: 1 };
    const attempts = Array.from({ length: deliverySeriesLimit * attemptsPerSeries }, () => attempt);
    const webhook = { url: 'https://shop.example/hook', status: 'failed' };
    expect(accepts({ webhook: { ...webhook, attempts } })).toBe(true);
    expect(accepts({ webhook: { ...webhook, attempts: [...attempts, attempt] } })).toBe(false);
  });
});

const limits = contracts.flatMap(([id]) =>
  parts.flatMap((part) => Object.entries(specification[id][part]).map(([name, limit]) => ({ id, part, name, limit }))),
);

/** A valid part of a request, for tests that change one field. */
const validPart = (contract: OperationContract, part: Part): Record<string, unknown> => ({
  ...(part === 'params' && contract.example.params),
  ...(part === 'body' && contract.example.body),
});

describe.each(limits)('the limits of the field $name in the $part of $id:', ({ id, part, name, limit }) => {
  const contract: OperationContract = registry[id];
  const parse = (value: Record<string, unknown>) => {
    const schema = contract[part];
    if (!schema) throw new Error(`${id} has no ${part}`);
    // The number of a product's images is limited together with the number of its files.
    const others = name === 'productFileIds' ? { images: undefined } : {};
    return schema.safeParse({ ...validPart(contract, part), ...others, ...value });
  };

  it('values at the limits are accepted', () => {
    for (const value of samplesOf(limit).accepted)
      expect([value, parse({ [name]: value }).error]).toEqual([value, undefined]);
  });

  it('values beyond the limits are rejected with a message that begins with the field’s name', () => {
    for (const value of samplesOf(limit).rejected) {
      const issues = parse({ [name]: value }).error?.issues ?? [];
      // A batch names the member of an item; other fields are named as a whole.
      const named =
        limit.kind === 'batch items' ? (path: PropertyKey[]) => path.slice(0, 1) : (path: PropertyKey[]) => path;
      expect([value, issues.map(({ path }) => named(path).join('.'))]).toEqual([
        value,
        issues.length ? issues.map(() => name) : [name],
      ]);
      // An invalid path parameter results in a 404 without an explanation.
      if (part === 'params') continue;
      for (const { message, path } of issues)
        expect(message).toMatch(path.length > 1 ? /^(must be |is required$)/ : /^must be /);
    }
  });

  it('the field is required, optional or has its default, as specified', () => {
    const { [name]: _absent, ...rest } = validPart(contract, part);
    // Operations that require one of two fields: without one, the example needs the other.
    const alternatives: Readonly<Record<string, object>> = {
      voice: { voiceId: 'any' },
      images: { productFileIds: ['any'] },
      imageUrl: id === 'createStudioAvatar' ? { avatarFileId: 'any' } : {},
    };
    const result = contract[part]?.safeParse({ ...rest, ...alternatives[name] });
    if ('required' in limit) {
      const message = part === 'params' ? expect.any(String) : 'is required';
      expect(result?.error?.issues).toMatchObject([{ path: [name], message }]);
    } else {
      const byDefault = 'byDefault' in limit ? limit.byDefault : undefined;
      expect(result?.data?.[name]).toEqual(byDefault);
    }
  });
});

describe('the contracts', () => {
  it('have every error code with its specified status', () => {
    const known = Object.entries(errors).map(([code, { status }]) => [code, status]);
    expect(known).toEqual(known.map(([code]) => [code, specified.errorStatuses[String(code)]]));
  });

  it('have the failure codes, scopes and task statuses of the specification', () => {
    expect(Object.keys(taskErrors)).toEqual(specified.taskErrorCodes);
    expect(scopes).toEqual(specified.scopes);
    expect(taskStatuses).toEqual(specified.taskStatuses);
  });

  it('have the webhook fields of the specification, in the specified order', () => {
    expect(Object.keys(TaskCompleted().shape)).toEqual(specified.webhookFields['task.completed']);
    expect(Object.keys(TaskFailed().shape)).toEqual(specified.webhookFields['task.failed']);
  });

  it('accept an Idempotency-Key of 1 to 128 characters', () => {
    const { accepted, rejected } = samplesOf({ kind: 'text', ...specified.idempotencyKeyLengths });
    expect(accepted.map((key) => idempotencyKey().safeParse(key).success)).toEqual(accepted.map(() => true));
    expect(rejected.map((key) => idempotencyKey().safeParse(key).success)).toEqual(rejected.map(() => false));
  });
});
