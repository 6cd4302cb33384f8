/** Where the addresses stand that users give. */
import type * as z from 'zod';
import { type UrlTarget, userUrls } from './fields.ts';

export interface UserAddress extends UrlTarget {
  /** Where it stands in the value. */
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** A path as messages name it: `images[1].url`. */
export const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text ? `${text}.${String(part)}` : String(part);
  }, '');

/** The addresses in a value, by what its schema marks as one. */
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
