/** Generates the Python client's models, operations and errors from the OpenAPI document. */
import { polledTasksLimit } from '../../shared/contracts/limits.ts';
import {
  type ClientDocument,
  nameOf,
  type Operation,
  operationsOf,
  retriesOf,
  type Schema,
  schemasOf,
} from './client-document.ts';

/** Python's keywords, which cannot be names. */
const keywords = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** A name as Python writes it; a keyword gets an underscore. */
const snakeCase = (name: string): string => {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return keywords.has(snake) ? `${snake}_` : snake;
};
const constants = new Map<unknown, string>([
  [null, 'None'],
  [true, 'True'],
  [false, 'False'],
]);

const literal = (value: unknown): string => constants.get(value) ?? JSON.stringify(value);
const isIdentifier = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name);

const primitives: Readonly<Record<string, string>> = {
  boolean: 'bool',
  integer: 'int',
  null: 'None',
  number: 'float',
  string: 'str',
};

/** The Python type of a schema. @throws {Error} if there is none */
function typeOf(schema: Schema): string {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
  if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  if (schema.anyOf && schema.type === 'string') return `${typeOf(schema.anyOf[0] ?? {})} | str`;
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.items) return `list[${typeOf(schema.items)}]`;
  if (schema.type === 'object' && !schema.properties) return `dict[str, ${valueType(schema)}]`;
  const primitive = primitives[schema.type ?? ''];
  if (!primitive) throw new Error(`no Python type for the schema ${JSON.stringify(schema)}`);
  return primitive;
}

/** The type of the values of an object with arbitrary property names. */
const valueType = ({ additionalProperties: values }: Schema): string =>
  typeof values === 'object' && values.type ? typeOf(values) : 'Any';

/** The members of a dictionary's type: optional ones may be missing. */
const membersOf = ({ properties = {}, required = [] }: Schema): readonly (readonly [name: string, type: string])[] =>
  Object.entries(properties).map(([name, schema]) => {
    const type = typeOf(schema);
    return [name, required.includes(name) ? type : `NotRequired[${type}]`];
  });

function dictionary(name: string, schema: Schema): string {
  const members = membersOf(schema);
  if (members.every(([member]) => isIdentifier(member))) {
    const lines = members.map(([member, type]) => `    ${member}: ${type}\n`);
    return `\n\nclass ${name}(TypedDict):\n${lines.join('')}`;
  }
  const entries = members.map(([member, type]) => `    ${literal(member)}: ${literal(type)},\n`);
  return `\n\n${name} = TypedDict("${name}", {\n${entries.join('')}})\n`;
}

/** A task for which `status` is known to be `completed`: what is always present then may be read without a check. */
function taskWithResult({ components }: ClientDocument): string {
  const { Task: task, CompletedTask: completed } = components.schemas;
  return dictionary('TaskWithResult', {
    properties: { ...task?.properties, ...completed?.properties },
    required: [...(task?.required ?? []), ...(completed?.required ?? [])],
  });
}

/** Classes name each other freely; aliases are evaluated, so the names that they contain come first. */
function modelsOf(document: ClientDocument): string {
  const schemas = schemasOf(document);
  const aliases = schemas.filter(([, { properties }]) => !properties);
  const isOpen = ([, { anyOf }]: (typeof aliases)[number]): boolean => anyOf !== undefined;
  const ordered = [...aliases.filter((alias) => !isOpen(alias)), ...aliases.filter(isOpen)];
  return [
    ...ordered.map(([name, schema]) => `${name}: TypeAlias = ${typeOf(schema)}\n`),
    ...schemas.filter(([, { properties }]) => properties).map(([name, schema]) => dictionary(name, schema)),
    taskWithResult(document),
  ].join('');
}

/** An exception's name of an error code: `RATE_LIMITED` becomes `RateLimitedError`. */
const errorName = (code: string): string => {
  const words = code.toLowerCase().split('_');
  const name = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
  return name.endsWith('Error') ? name : `${name}Error`;
};

const errorsOf = (document: ClientDocument): string =>
  Object.entries(retriesOf(document))
    .map(
      ([code, retry]) =>
        `\n\nclass ${errorName(code)}(ApiError, code="${code}", retry="${retry}"):\n    """The error ${code}."""\n`,
    )
    .join('');

const constant = (operationId: string): string => snakeCase(operationId).toUpperCase();

function routeOf({ operationId, method, path, data, idempotent, isPublic, isRepeatable, rows }: Operation): string {
  const abilities = [
    ...(idempotent ? ['keyed=True'] : []),
    ...(isPublic ? ['public=True'] : []),
    ...(isRepeatable ? ['repeatable=True'] : []),
    ...(rows ? [`rows="${rows.member}"`, `cursor="${rows.id}"`] : []),
  ];
  const route = [literal(method), literal(path), ...abilities].join(', ');
  return `${constant(operationId)}: Route[${typeOf(data)}] = Route(${route})\n`;
}

const namesOf = (schema: Schema | undefined): readonly string[] => Object.keys(schema?.properties ?? {});

const pairs = (names: readonly string[]): string =>
  `{${names.map((name) => `"${name}": ${snakeCase(name)}`).join(', ')}}`;

/** The parameters of a method: those in the path and the body by position, all others by name. */
function parametersOf({ params, query, body, idempotent }: Operation): string {
  const queries = Object.entries(query?.properties ?? {});
  return [
    'self',
    ...namesOf(params).map((name) => `${snakeCase(name)}: str`),
    ...(body ? [`body: ${typeOf(body)}`] : []),
    '*',
    ...queries.map(([name, schema]) => `${snakeCase(name)}: ${typeOf(schema)} | None = None`),
    ...(idempotent ? ['idempotency_key: str | None = None'] : []),
    'headers: Mapping[str, str] | None = None',
    'timeout_seconds: float | None = None',
    'max_retries: int | None = None',
  ].join(', ');
}

/** The arguments that a method passes on to the function that sends its request. */
function requestOf({ operationId, params, query, body, idempotent }: Operation): string {
  const queries = namesOf(query);
  return [
    constant(operationId),
    ...(params ? [`params=${pairs(namesOf(params))}`] : []),
    ...(queries.length > 0 ? [`query=${pairs(queries)}`] : []),
    ...(body ? ['body=body'] : []),
    ...(idempotent ? ['idempotency_key=idempotency_key'] : []),
    'headers=headers, timeout_seconds=timeout_seconds, max_retries=max_retries',
  ].join(', ');
}

/** How the two kinds of clients differ in the text of their methods. */
interface Flavor {
  readonly prefix: 'Sync' | 'Async';
  readonly define: 'def' | 'async def';
  readonly result: 'return' | 'return await';
  readonly iterator: 'Iterator' | 'AsyncIterator';
}

const flavors: readonly Flavor[] = [
  { prefix: 'Sync', define: 'def', result: 'return', iterator: 'Iterator' },
  { prefix: 'Async', define: 'async def', result: 'return await', iterator: 'AsyncIterator' },
];

function methodsOf(operation: Operation, flavor: Flavor): string {
  const { operationId, summary, data, body, dryRun, rows } = operation;
  const name = snakeCase(operationId);
  const doc = `        """${summary}."""\n`;
  if (dryRun && body) {
    const type = `${flavor.prefix}Generation[${typeOf(body)}, ${typeOf(data)}, ${typeOf(dryRun)}]`;
    return `\n    @property\n    def ${name}(self) -> ${type}:\n${doc}        return ${flavor.prefix}Generation(self, ${constant(operationId)})\n`;
  }
  const parameters = parametersOf(operation);
  const request = requestOf(operation);
  const method = `\n    ${flavor.define} ${name}(${parameters}) -> ${typeOf(data)}:\n${doc}        ${flavor.result} self._call(${request})\n`;
  if (!rows) return method;
  const iterate = `\n    def ${name.replace('list_', 'iterate_')}(${parameters}) -> ${flavor.iterator}[${typeOf(rows.row)}]:\n`;
  const iteration = `        """Iterate over all rows of ${name}; limit is the size of a page, 100 unless given."""\n        return self._iterate(${request})\n`;
  return `${method}${iterate}${iteration}`;
}

const header = `"""The operations of the API with their types. Generated by \`npm run openapi\`: do not edit."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, Literal, TypeAlias, TypedDict

from ._calls import AsyncCalls, AsyncGeneration, SyncCalls, SyncGeneration
from ._core import Route
from ._errors import ApiError

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired

`;

/** The names that callers import: types and errors. */
function exportsOf(document: ClientDocument): string {
  const types = schemasOf(document).map(([name]) => name);
  const names = [...types, 'TaskWithResult', ...Object.keys(retriesOf(document)).map(errorName)];
  return `__all__ = [\n${names.map((name) => `    "${name}",\n`).join('')}]\n\n`;
}

/** Generates the text of `client-python/generation_service/operations.py`. */
export function pythonOperations(document: ClientDocument): string {
  const operations = operationsOf(document);
  return [
    header,
    exportsOf(document),
    modelsOf(document),
    errorsOf(document),
    `\n\nIDS_PER_CALL = ${polledTasksLimit}\n`,
    ...operations.map(routeOf),
    ...flavors.flatMap((flavor) => [
      `\n\nclass ${flavor.prefix}Operations(${flavor.prefix}Calls):\n    """One method for each operation."""\n`,
      ...operations.map((operation) => methodsOf(operation, flavor)),
    ]),
  ].join('');
}
