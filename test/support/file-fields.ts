/** The fields of a request's schema that contain URLs of files. */
import type * as z from 'zod';
import { type UrlTarget, userUrls } from '../../shared/contracts/url-fields.ts';

export type FileField = Exclude<UrlTarget, { leadsTo: 'receiver' }> & {
  /** A path in a value; the first item stands for every item of a list. */
  readonly path: readonly (string | number)[];
};

export function* fileFieldsOf(schema: z.ZodType, path: FileField['path'] = []): Generator<FileField> {
  const marked = userUrls.get(schema);
  if (marked) {
    if (marked.leadsTo !== 'receiver') yield { path, ...marked };
    return;
  }
  const { type, shape, element, options, innerType } = schema.def as unknown as {
    readonly type: string;
    readonly shape: Readonly<Record<string, z.ZodType>>;
    readonly element: z.ZodType;
    readonly options: readonly z.ZodType[];
    readonly innerType?: z.ZodType;
  };
  if (type === 'object') {
    for (const [name, member] of Object.entries(shape)) yield* fileFieldsOf(member, [...path, name]);
  } else if (type === 'array') yield* fileFieldsOf(element, [...path, 0]);
  else if (type === 'union') for (const option of options) yield* fileFieldsOf(option, path);
  else if (innerType) yield* fileFieldsOf(innerType, path);
}

/** A copy of a value with a text at a path, in place of the previous value. */
export function placed(value: unknown, [step, ...rest]: FileField['path'], text: string): unknown {
  if (step === undefined) return text;
  if (typeof step === 'number') return [placed(undefined, rest, text)];
  const members = typeof value === 'object' && !Array.isArray(value) ? value : {};
  return { ...members, [step]: placed((members as Record<string, unknown>)[step], rest, text) };
}
