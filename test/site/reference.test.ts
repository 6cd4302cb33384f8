/** The pages of the reference: each shows all that the contract says about its operation. */
import { describe, expect, test } from 'vitest';
import { errors } from '../../shared/contracts/errors.ts';
import { retries } from '../../shared/contracts/openapi/retries.ts';
import { errorsOf } from '../../shared/contracts/operation.ts';
import { registry } from '../../shared/contracts/registry.ts';
import { bodySchemaOf, published, resolved, type Schema } from '../support/openapi-document.ts';
import { builtSite, textOf } from './built-site.ts';

const site = await builtSite();

const document = published();
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method, path, operation, id: operation.operationId })),
);

const pageOf = (operationId: string): string => site.get(`reference/${operationId}.html`) ?? '';

/** The names of the fields that a schema has at its first level, in all of its alternatives. */
function fieldsOf(given: Schema | undefined): readonly string[] {
  if (!given) return [];
  const { $ref, anyOf = [], properties = {} } = given as { $ref?: string; anyOf?: Schema[]; properties?: object };
  if ($ref) return fieldsOf(document.components.schemas[$ref.split('/').at(-1) ?? '']);
  return [...Object.keys(properties), ...anyOf.flatMap(fieldsOf)];
}

describe.each(operations)('the page of $id', ({ method, path, operation, id }) => {
  test('names the request, and every parameter and field of its body', () => {
    const html = pageOf(id);
    expect(html).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
    const parameters = operation.parameters.map((one) => resolved(one, document.components.parameters as never).name);
    for (const name of [...parameters, ...fieldsOf(bodySchemaOf(operation, document))]) {
      expect(html, name).toContain(`<td><code>${name}</code></td>`);
    }
  });

  test('says of every error when it occurs and what to do', () => {
    const html = pageOf(id);
    const codes = errorsOf(registry[id as keyof typeof registry]);
    const rows = [...html.matchAll(/<tr>\n?<td data-heading="Status">(\d+)<\/td>([\s\S]*?)<\/tr>/g)].map(
      ([row]) => row,
    );
    for (const code of codes) {
      const row = rows.find((candidate) => candidate.includes(`<code>${code}</code></a></td>`)) ?? '';
      expect(row, code).toContain(`>${errors[code].status}</td>`);
      expect(textOf(row), code).toContain(retries[code].advice.replaceAll('`', ''));
    }
    expect(rows.length).toBe(codes.length);
  });

  test('has a sample in each language, and an example of each successful response', () => {
    const html = pageOf(id);
    const [, beside = ''] = /<aside class="beside"[^>]*>([\s\S]*)<\/aside>/.exec(html) ?? [];
    expect(beside.match(/data-language="/g)?.length).toBe(3);
    const successes = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
    for (const status of successes) expect(beside).toContain(`<strong>${status}</strong>`);
  });
});

test('the documentation of a generation describes the creation of the task before the dry run', () => {
  const html = pageOf('generateVoice');
  const positions = ['id="request"', 'id="body"', 'id="202"', 'id="200"', 'id="errors"'].map((id) => html.indexOf(id));
  expect(positions).not.toContain(-1);
  expect(positions).toEqual(positions.toSorted((one, other) => one - other));
});

test('the page of errors has a section for every code', () => {
  const html = site.get('errors.html') ?? '';
  for (const code of Object.keys(errors)) expect(html).toContain(`<h3 id="${code.toLowerCase()}">`);
});
