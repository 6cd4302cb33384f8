/** The page of an operation: its request, its responses and its errors, beside samples. */
import { errors as allErrors, type ErrorCode } from '../../shared/contracts/errors.ts';
import { retries } from '../../shared/contracts/openapi/retries.ts';
import type { GeneratedPage } from '../page/site-page.ts';
import { bodyTable, dataTable, parameterTable } from './field-table.ts';
import { blocks, fenced, fencedJson, markdownTable, quoted } from './markdown-text.ts';
import {
  type Content,
  type Operation,
  type Parameter,
  type ReferenceDocument,
  type Response,
  resolved,
  type Sample,
} from './openapi-document.ts';

const languages: Readonly<Record<string, string>> = { Shell: 'sh', JavaScript: 'js', Python: 'python', Go: 'go' };

export const samplesOf = (samples: readonly Sample[], known = languages): string =>
  blocks(...samples.map(({ lang, source }) => fenced(known[lang] ?? '', source)));

/** The requests in JavaScript are also TypeScript: the client gives them their types. */
const requestLanguages = { ...languages, JavaScript: 'ts' };

export const requestSamples = (samples: readonly Sample[]): string => samplesOf(samples, requestLanguages);

const places = { path: 'Path', query: 'Query', header: 'Headers' } as const;

export function parameterTables(document: ReferenceDocument, operation: Operation): string {
  const all = operation.parameters.map((parameter) => resolved<Parameter>(document.components.parameters, parameter));
  return blocks(
    ...Object.entries(places).map(([place, title]) => {
      const found = all.filter((parameter) => parameter.in === place);
      return found.length > 0 && blocks(`### ${title}`, parameterTable(document, found));
    }),
  );
}

export const bodyFields = (document: ReferenceDocument, { 'application/json': { schema } }: Content): string =>
  blocks('### Body', bodyTable(document, schema));

interface Answer {
  readonly status: string;
  readonly description: string;
  readonly content: Content['application/json'] | undefined;
}

/** The responses, the usual one first: the creation of a task before its dry run. */
function answersOf(document: ReferenceDocument, { responses }: Operation) {
  const all = Object.entries(responses).map(([status, response]): Answer => {
    const { description, content } = resolved<Response>(document.components.responses, response);
    return { status, description, content: content?.['application/json'] };
  });
  const isSuccess = ({ status }: Answer): boolean => status.startsWith('2');
  return { successes: all.filter(isSuccess).toReversed(), failures: all.filter((answer) => !isSuccess(answer)) };
}

const successText = (document: ReferenceDocument, { status, description, content }: Answer): string =>
  blocks(`### ${status}`, description, content && dataTable(document, content.schema));

/** Each code of an operation with what it means there, from descriptions such as `` `NOT_FOUND`: Not found. ``. */
const meanings = (description: string): readonly (readonly [code: ErrorCode, meaning: string])[] =>
  description.split('\n\n').map((line) => {
    const [, code = '', meaning = ''] = /^`(\w+)`: ([\s\S]*)$/.exec(line) ?? [];
    if (!Object.hasOwn(allErrors, code)) throw new Error(`no error code in ${line}`);
    return [code as ErrorCode, meaning];
  });

/** The anchor of an error code on the page of errors. */
const errorLink = (code: ErrorCode): string => `[${quoted(code)}](/errors#${code.toLowerCase()})`;

const errorTable = (failures: readonly Answer[]): string =>
  markdownTable(
    ['Status', 'Code', 'When', 'What to do'],
    failures.flatMap(({ status, description }) =>
      meanings(description).map(([code, meaning]) => [status, errorLink(code), meaning, retries[code].advice]),
    ),
  );

const priceOf = ({ 'x-price': price }: Operation): string | undefined =>
  price &&
  `In the OpenAPI document, the price is \`x-price\`: ${Object.entries(price)
    .filter(([name]) => name !== 'unit')
    .map(([name, value]) => quoted(`${name}: ${String(value)}`))
    .join(' ')}. A [dry run](/prices#dry-run) returns what a request costs now.`;

const exampleOf = ({ status, content }: Answer): string | undefined =>
  content && blocks(`**${status}**`, fencedJson(content.example));

export interface Located {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function operationPage(document: ReferenceDocument, { method, path, operation }: Located): GeneratedPage {
  const { successes, failures } = answersOf(document, operation);
  const parameters = parameterTables(document, operation);
  const body = operation.requestBody && bodyFields(document, operation.requestBody.content);
  const [description = ''] = operation.description.split('\n\n');
  return {
    path: `reference/${operation.operationId}`,
    title: operation.summary,
    description: `${method.toUpperCase()} ${path}: ${description}`,
    section: operation.tags?.[0] ?? '',
    text: blocks(
      `# ${operation.summary}`,
      `${quoted(`${method.toUpperCase()} ${path}`)} · operation ${quoted(operation.operationId)}`,
      operation.description,
      priceOf(operation),
      (parameters || body) && '## Request',
      parameters,
      body,
      '## Response',
      ...successes.map((answer) => successText(document, answer)),
      '## Errors',
      errorTable(failures),
    ),
    aside: blocks(
      '## Request sample',
      requestSamples(operation['x-codeSamples']),
      '## Response sample',
      ...successes.map(exampleOf),
    ),
  };
}
