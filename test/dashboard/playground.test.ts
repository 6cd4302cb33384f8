/** The forms of the playground: what they take from the contract, and what they send. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ApiError } from '../../dashboard/api/api-error.ts';
import { en } from '../../dashboard/pages/playground/en.ts';
import { bodyOf, exampleOf, fieldsOf } from '../../dashboard/pages/playground/fields.ts';
import { foundProblems, problemsOf } from '../../dashboard/pages/playground/problems.ts';
import { earlierRequest, endings, requestOf, withoutTestCase } from '../../dashboard/pages/playground/request.ts';
import { typeOf } from '../../dashboard/pages/playground/type-of.ts';
import { generateContracts } from '../../shared/contracts/generate.ts';
import type { GenerationContract } from '../../shared/contracts/generation-contract.ts';
import { studioContracts } from '../../shared/contracts/studio.ts';
import { testCaseOf } from '../../shared/contracts/test-cases.ts';

const contracts: readonly Pick<GenerationContract, 'operationId' | 'body'>[] = [
  ...Object.values(generateContracts),
  studioContracts.createStudioProduct,
  studioContracts.createStudioAvatar,
];

interface Published {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Published;
  readonly anyOf?: readonly Published[];
}

const bounds = ({ minimum, maximum = Infinity }: Published) => ({
  min: minimum === undefined || minimum < 0 ? 0 : minimum,
  max: maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined,
});

/** The field that the form must have for a property of the published schema. */
function expected(schema: Published): object {
  const { type, anyOf, items, maxItems } = schema;
  if (anyOf) return expected(anyOf[0] ?? {});
  const options = schema.enum ?? (type === 'string' && schema.examples);
  if (options) return { kind: 'choice', options };
  if (type === 'boolean') return { kind: 'flag' };
  if (type === 'integer' || type === 'number')
    return { kind: 'number', ...bounds(schema), isInteger: type === 'integer' };
  if (type === 'array') return { ...expected(items ?? {}), isList: true, most: maxItems };
  if (schema.format === 'uri') return { kind: 'files', isList: false, most: 1 };
  return { kind: 'text', min: schema.minLength ?? 0, max: schema.maxLength };
}

interface PublishedBody {
  readonly properties?: Readonly<Record<string, Published>>;
  readonly required?: readonly string[];
}

/** The schema of a body, which is published under its name. */
function publishedBody(body: z.ZodType): PublishedBody {
  const { $defs = {}, $ref = '' } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
  return $defs[$ref.split('/').at(-1) ?? ''] as PublishedBody;
}

/** Fields of the small forms that choose files by id, which the uploads of a form replace. */
const leftOut = ['callbackUrl', 'avatarFileId', 'productFileIds', 'sourceInfluencerId'];

test.each(contracts)(
  'the form of $operationId has each field of the published contract, with its choices, bounds, default and necessity',
  ({ body }) => {
    const { properties = {}, required = [] } = publishedBody(body);
    const published = Object.entries(properties).filter(([name]) => !leftOut.includes(name));
    const fields = fieldsOf(body, (name) => !leftOut.includes(name));
    expect(fields.map(({ name }) => name)).toEqual(published.map(([name]) => name));
    for (const [index, [name, schema]] of published.entries()) {
      expect(fields[index], name).toMatchObject({
        ...expected(schema),
        isRequired: required.includes(name),
        byDefault: schema.default,
      });
    }
  },
);

test('every field for files says which types it accepts and how large they may be', () => {
  const files = Object.values(generateContracts)
    .flatMap(({ body }) => fieldsOf(body))
    .filter((field) => field.kind === 'files');
  expect(files.length).toBeGreaterThan(10);
  for (const { types, maxBytes } of files) {
    expect(types.length).toBeGreaterThan(0);
    expect(maxBytes).toBeGreaterThan(0);
  }
});

test('a form begins with the example of its operation, except for example files that do not exist', () => {
  const { body, example } = generateContracts.generateCreativeVideo;
  const values = exampleOf(fieldsOf(body), example.body);
  expect(values).toEqual({ prompt: example.body.prompt, durationSec: 6 });
  expect(body.safeParse(bodyOf({ ...values, imageUrl: '', lastImageUrl: undefined })).success).toBe(true);
});

test('a file’s type is the accepted type that matches its name, whatever type the browser states', () => {
  const film = ['video/mp4', 'video/quicktime', 'video/x-matroska'] as const;
  expect([
    typeOf({ name: 'film.MOV', type: '' }, film),
    typeOf({ name: 'film.mkv', type: 'video/webm' }, film),
    typeOf({ name: 'film', type: 'video/mp4' }, film),
    typeOf({ name: 'photo.jpeg', type: '' }, ['image/png', 'image/jpeg']),
    typeOf({ name: 'photo.gif', type: 'image/gif' }, ['image/png', 'image/jpeg']),
  ]).toEqual(['video/quicktime', 'video/x-matroska', 'video/mp4', 'image/jpeg', undefined]);
});

describe('a problem of a request', () => {
  const { body } = generateContracts.editImage;
  const fields = fieldsOf(body);

  test('that the service reports is shown at its field, or in the form if the problem names no field', () => {
    const message = 'prompt is required; referenceImages[1] must be an https URL; the body must be valid JSON';
    expect(problemsOf(new ApiError(400, 'VALIDATION_ERROR', message), fields)).toEqual({
      prompt: 'is required',
      referenceImages: '[1] must be an https URL',
      '': 'the body must be valid JSON',
    });
    expect(problemsOf(new ApiError(402, 'INSUFFICIENT_CREDITS', 'prompt'), fields)).toBeUndefined();
  });

  test('is found before the request is sent, even if it concerns two fields', () => {
    expect(foundProblems(body, { prompt: '' }, fields)).toEqual({
      imageUrl: 'is required',
      prompt: expect.stringContaining('1 to 4000'),
    });
    const voice = generateContracts.generateVoice.body;
    expect(foundProblems(voice, { text: 'Um.' }, fieldsOf(voice))).toEqual({
      voice: expect.stringContaining('required'),
    });
  });
});

const operations = Object.values(generateContracts).map(({ operationId }) => operationId);

test('the test case chosen in the playground is the one that test mode reads, and is kept when the request is repeated', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...operations),
      fc.constantFrom(...endings),
      fc.string({ minLength: 1 }).filter((text) => !text.includes('[test:') && text.trim() === text),
      (operation, ending, written) => {
        const { body, example } = generateContracts[operation] as GenerationContract;
        const fields = fieldsOf(body);
        const texts = fields.filter(({ kind, isRequired }) => kind === 'text' && isRequired).map(({ name }) => name);
        const values = {
          ...exampleOf(fields, example.body),
          ...Object.fromEntries(texts.map((name) => [name, written])),
        };
        const sent = requestOf(operation, 'test', values, ending);
        expect(testCaseOf(sent)).toMatchObject({ name: ending });
        expect(requestOf(operation, 'live', values, ending)).toMatchObject({ body: bodyOf(values) });
        expect(earlierRequest(sent.body, sent.clientReference)).toEqual({ values: bodyOf(values), ending });
      },
    ),
  );
});

test('the label of a test task is its text without the test case, even if the label was cut inside the test case', () => {
  const label = 'A lighthouse [at dawn] [test:progress]';
  for (let length = 'A lighthouse [at dawn]'.length; length <= label.length; length += 1)
    expect(withoutTestCase(label.slice(0, length)).trimEnd()).toBe('A lighthouse [at dawn]');
  expect(withoutTestCase('[test:slow=20]')).toBe('[test:slow=20]');
});

test('the service’s message about a field, placed after the field’s name, makes a complete sentence', () => {
  for (const { operationId, body } of Object.values(generateContracts)) {
    const fields = fieldsOf(body);
    const wrong = Object.fromEntries(fields.map(({ name }) => [name, {}]));
    const problems = foundProblems(body, wrong, fields);
    expect(Object.keys(problems).length, operationId).toBeGreaterThan(0);
    for (const [name, said] of Object.entries(problems)) {
      const field = en.fields[name as keyof typeof en.fields];
      expect(en.problem(field, said), operationId).toMatch(/^[A-Z][\w\s’]+ (must|is|may|cannot) .+[^.]\.$/);
    }
  }
});
