/** Reconstructs the request that a back end sent from the stored one, which includes defaults. */
import type * as z from 'zod';

type Body = Readonly<Record<string, unknown>>;

/** The parsed body as text, with fields in the order of the contract, for comparison. */
const parsedText = (schema: z.ZodType, body: Body): string | undefined => {
  const { data, success } = schema.safeParse(body);
  return success ? JSON.stringify(data) : undefined;
};

const without = (body: Body, name: string): Body =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));

/** The request without the fields that the contract would fill in, in the order of the contract. */
export function sentRequest(schema: z.ZodType, stored: Body): Body {
  const complete = parsedText(schema, stored);
  if (complete === undefined) return stored;
  const ordered = JSON.parse(complete) as Body;
  return Object.keys(ordered).reduce(
    (kept, name) => (parsedText(schema, without(kept, name)) === complete ? without(kept, name) : kept),
    ordered,
  );
}
