/** What a back end sent, of the request as it is stored: with every default that applied. */
import type * as z from 'zod';

type Body = Readonly<Record<string, unknown>>;

/** Equal after parsing: fields in the order of the contract. */
const parsedText = (schema: z.ZodType, body: Body): string | undefined => {
  const { data, success } = schema.safeParse(body);
  return success ? JSON.stringify(data) : undefined;
};

const without = (body: Body, name: string): Body =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));

/** The same request without the fields that the contract fills in by itself, in the order of the contract. */
export function sentRequest(schema: z.ZodType, stored: Body): Body {
  const complete = parsedText(schema, stored);
  if (complete === undefined) return stored;
  const ordered = JSON.parse(complete) as Body;
  return Object.keys(ordered).reduce(
    (kept, name) => (parsedText(schema, without(kept, name)) === complete ? without(kept, name) : kept),
    ordered,
  );
}
