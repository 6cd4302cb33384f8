/** Requests with a canary in every text that the service accepts. */
import type * as z from 'zod';
import { userUrls } from '../../../shared/contracts/url-fields.ts';

type Path = readonly (string | number)[];

/** A place in a body where a text can be, with the schema that it must meet, if that is known. */
interface Leaf {
  readonly path: Path;
  readonly schema: z.ZodType | undefined;
  readonly example: unknown;
}

const partsOf = (schema: z.ZodType) => schema.def as { readonly type: string; readonly [part: string]: unknown };

/** All texts that an example of a schema has or could have. */
function* leavesOf(schema: z.ZodType | undefined, example: unknown, path: Path = []): Generator<Leaf> {
  const {
    type,
    shape,
    element,
    options,
    innerType,
    in: input,
  } = schema ? partsOf(schema) : ({} as Record<string, unknown>);
  if (innerType ?? input) yield* leavesOf((innerType ?? input) as z.ZodType, example, path);
  else if (type === 'union') {
    const all = options as readonly z.ZodType[];
    yield* leavesOf(all.find((one) => one.safeParse(example).success) ?? all[0], example, path);
  } else if (type === 'object') {
    for (const [name, member] of Object.entries(shape as Readonly<Record<string, z.ZodType>>))
      yield* leavesOf(member, (example as Record<string, unknown> | undefined)?.[name], [...path, name]);
  } else if (Array.isArray(example)) {
    for (const [index, item] of example.entries()) yield* leavesOf(element as z.ZodType, item, [...path, index]);
  } else if (typeof example === 'object' && example !== null) {
    for (const [name, item] of Object.entries(example)) yield* leavesOf(undefined, item, [...path, name]);
  } else if (type === 'string' || typeof example === 'string') yield { path, schema, example };
}

/** The canary as the place accepts it: as it is, in the query of a URL, or as an e-mail address. */
function plantedIn({ schema, example }: Leaf, canary: string): string | undefined {
  const inUrl =
    typeof example === 'string' && URL.canParse(example)
      ? [`${example}${example.includes('?') ? '&' : '?'}${canary}`]
      : [];
  const accepts = (text: string) => schema === undefined || schema.safeParse(text).success;
  if (schema && userUrls.has(schema)) return inUrl.find(accepts);
  return [...inUrl, canary, `${canary}@example.com`].find(accepts);
}

function put(value: Record<string | number, unknown>, [step = '', ...rest]: Path, text: string | undefined): void {
  if (rest.length === 0 && text === undefined) delete value[step];
  else if (rest.length === 0) value[step] = text;
  else {
    value[step] ??= {};
    put(value[step] as Record<string | number, unknown>, rest, text);
  }
}

const named = (path: Path): string =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${step}` : step),
    '',
  );

export interface PlantedBody {
  readonly body: Record<string, unknown>;
  /** The places with the canary. */
  readonly planted: readonly string[];
}

/** The example with the canary in every place but the given ones, which keep what they have. */
export function plantedBody(
  schema: z.ZodType,
  example: Readonly<Record<string, unknown>>,
  canary: string,
  without: ReadonlySet<string>,
): PlantedBody {
  const body = structuredClone(example) as Record<string, unknown>;
  const planted: string[] = [];
  for (const leaf of leavesOf(schema, example)) {
    const place = named(leaf.path);
    const text = without.has(place) ? undefined : plantedIn(leaf, canary);
    if (text === undefined) continue;
    put(body, leaf.path, text);
    planted.push(place);
  }
  // A property that no contract defines.
  if (!without.has('unknown')) body.unknown = canary;
  return { body, planted: [...planted, ...(without.has('unknown') ? [] : ['unknown'])] };
}
