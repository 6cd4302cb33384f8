/** What is wrong with a value, one sentence a problem, each beginning with the field's path. */
import type * as z from 'zod';
import { urlExpectation, userUrls } from '../contracts/fields.ts';
import { parseUserUrl, type UrlPolicy } from '../platform/url-policy.ts';

type Path = readonly PropertyKey[];

const pathText = (path: Path): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text ? `${text}.${String(part)}` : String(part);
  }, '');

const sentence = (path: Path, message: string): string => (path.length > 0 ? `${pathText(path)} ${message}` : message);

export const problemsOf = (error: z.ZodError): string[] => [
  ...new Set(error.issues.map((issue) => sentence(issue.path, issue.message))),
];

/** The addresses in a value, by what its schema marks as one. */
function* addressesIn(schema: z.ZodType, value: unknown, path: Path): Generator<{ path: Path; text: string }> {
  if (value === undefined || value === null) return;
  if (userUrls.has(schema)) {
    if (typeof value === 'string') yield { path, text: value };
    return;
  }
  const definition = schema.def as { readonly type: string; readonly [part: string]: unknown };
  if (definition.type === 'object') {
    const shape = definition.shape as Readonly<Record<string, z.ZodType>>;
    for (const [name, member] of Object.entries(shape)) {
      yield* addressesIn(member, (value as Record<string, unknown>)[name], [...path, name]);
    }
  } else if (definition.type === 'array' && Array.isArray(value)) {
    for (const [position, member] of value.entries()) {
      yield* addressesIn(definition.element as z.ZodType, member, [...path, position]);
    }
  } else if (definition.innerType) {
    yield* addressesIn(definition.innerType as z.ZodType, value, path);
  }
}

const expectationUnder: Readonly<Record<UrlPolicy, string>> = {
  public: urlExpectation,
  local: `${urlExpectation}, or http://127.0.0.1:<port> or http://localhost:<port>`,
};

/** The addresses in a valid value that the URL policy does not let users give. */
export const addressProblems = (schema: z.ZodType, value: unknown, policy: UrlPolicy): string[] =>
  [...addressesIn(schema, value, [])]
    .filter(({ text }) => parseUserUrl(text, policy) === undefined)
    .map(({ path }) => sentence(path, expectationUnder[policy]));
