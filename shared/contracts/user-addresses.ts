/** Finds the URLs that clients provide in a request. */
import type * as z from 'zod';
import { type UrlTarget, userUrls } from './url-fields.ts';

export type UserAddress = UrlTarget & {
  /** The path of the URL within the value. */
  readonly path: readonly (string | number)[];
  readonly text: string;
};

/** A path as it appears in messages: `images[1].url`. */
export const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text ? `${text}.${String(part)}` : String(part);
  }, '');

/** All URLs in a value that its schema marks as provided by clients. */
export function* addressesIn(
  schema: z.ZodType,
  value: unknown,
  path: UserAddress['path'] = [],
): Generator<UserAddress> {
  if (value === undefined || value === null) return;
  const marked = userUrls.get(schema);
  if (marked) {
    if (typeof value === 'string') yield { path, text: value, ...marked };
    return;
  }
  const definition = schema.def as { readonly type: string; readonly [part: string]: unknown };
  if (definition.type === 'object') {
    const shape = definition.shape as Readonly<Record<string, z.ZodType>>;
    if (typeof value !== 'object') return;
    for (const [name, member] of Object.entries(shape)) {
      yield* addressesIn(member, (value as Record<string, unknown>)[name], [...path, name]);
    }
  } else if (definition.type === 'array' && Array.isArray(value)) {
    for (const [position, member] of value.entries()) {
      yield* addressesIn(definition.element as z.ZodType, member, [...path, position]);
    }
  } else if (definition.type === 'union') {
    for (const option of definition.options as readonly z.ZodType[]) yield* addressesIn(option, value, path);
  } else if (definition.innerType) {
    yield* addressesIn(definition.innerType as z.ZodType, value, path);
  }
}
