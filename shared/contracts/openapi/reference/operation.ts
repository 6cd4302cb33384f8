/** Renders an operation or a webhook on the reference page: the request first, then the responses. */
import {
  type Content,
  type Operation,
  type Parameter,
  type ReferenceDocument,
  type Response,
  resolved,
} from './document.ts';
import { bodyTable, dataTable, extensionBadge, parameterTable } from './fields.ts';
import { escaped, inline, markdown } from './markdown.ts';

const code = (text: string): string => `<pre tabindex="0"><code>${escaped(text)}</code></pre>`;
const json = (value: unknown): string => code(JSON.stringify(value, null, 2));

const samples = ({ 'x-codeSamples': [first, ...others] }: Operation): string =>
  [
    ...(first ? [`<h4>${escaped(first.label)}</h4>${code(first.source)}`] : []),
    ...others.map(({ label, source }) => `<details><summary>${escaped(label)}</summary>${code(source)}</details>`),
  ].join('\n');

const places = { path: 'Path', query: 'Query', header: 'Headers' } as const;

function parameters(document: ReferenceDocument, operation: Operation): string {
  const all = operation.parameters.map((parameter) => resolved<Parameter>(document.components.parameters, parameter));
  return Object.entries(places)
    .map(([place, title]) => {
      const found = all.filter((parameter) => parameter.in === place);
      return found.length > 0 ? `<h4>${title}</h4>${parameterTable(document, found)}` : '';
    })
    .join('\n');
}

const body = (document: ReferenceDocument, content: Content): string =>
  `<h4>Body</h4>${bodyTable(document, content['application/json'].schema)}`;

function success(document: ReferenceDocument, status: string, description: string, content: Content): string {
  const { schema, example } = content['application/json'];
  return [
    `<h4>Response <span class="status">${status}</span></h4><p>${inline(description)}</p>`,
    json(example),
    `<details><summary>Fields of <code>data</code></summary>${dataTable(document, schema)}</details>`,
  ].join('\n');
}

const errorRow = (status: string, description: string): string =>
  `<tr><td><span class="status">${status}</span></td><td>${markdown(description)}</td></tr>`;

/** Sorts responses so that the usual one comes first: the creation of a task before its dry run. */
function responses(document: ReferenceDocument, operation: Operation): string {
  const isSuccess = ([status]: readonly [string, unknown]): boolean => status.startsWith('2');
  const all = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolved<Response>(document.components.responses, response)] as const,
  );
  const successes = all.filter(isSuccess).toReversed();
  const errors = all.filter((entry) => !isSuccess(entry));
  return [
    ...successes.flatMap(([status, { description, content }]) =>
      content ? [success(document, status, description, content)] : [`<p>${status}: ${inline(description)}</p>`],
    ),
    '<h4>Errors</h4>',
    `<table class="fields"><tbody>${errors.map(([status, { description }]) => errorRow(status, description)).join('')}</tbody></table>`,
  ].join('\n');
}

const price = (given: Readonly<Record<string, unknown>>): string =>
  `<p class="price">Default price: ${Object.entries(given)
    .filter(([name]) => name !== 'unit')
    .map(([name, value]) => `<code>${escaped(`${name}: ${String(value)}`)}</code>`)
    .join(' ')}</p>`;

const heading = (operation: Operation): string =>
  `<h3>${escaped(operation.summary)}${operation['x-extension'] ? ` ${extensionBadge}` : ''}</h3>`;

export const operationSection = (
  document: ReferenceDocument,
  { method, path, operation }: { readonly method: string; readonly path: string; readonly operation: Operation },
): string =>
  [
    `<section class="operation" id="${operation.operationId}">`,
    heading(operation),
    `<p class="route"><span class="method">${method.toUpperCase()}</span> <code>${escaped(path)}</code></p>`,
    samples(operation),
    markdown(operation.description),
    operation['x-price'] ? price(operation['x-price']) : '',
    parameters(document, operation),
    operation.requestBody ? body(document, operation.requestBody.content) : '',
    responses(document, operation),
    '</section>',
  ].join('\n');

export function webhookSection(document: ReferenceDocument, name: string, operation: Operation): string {
  const content = operation.requestBody?.content;
  return [
    `<section class="operation" id="${operation.operationId}">`,
    `<h3>${escaped(operation.summary)}</h3>`,
    `<p class="route"><span class="method">POST</span> <code>${escaped(name)}</code> to your <code>callbackUrl</code></p>`,
    content ? json(content['application/json'].example) : '',
    content ? body(document, content) : '',
    parameters(document, operation),
    '</section>',
  ].join('\n');
}

/** The rules that apply to all webhooks, shown once on the page. */
export const webhookRules = (operation: Operation): string =>
  `${markdown(operation.description)}<h3 id="verify-webhooks">Verify a webhook</h3>${samples(operation)}`;
