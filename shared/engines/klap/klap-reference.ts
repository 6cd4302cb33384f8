/** The reference of a job at Klap: its task and, once that has ended, the folder of its clips and their exports. */
import * as z from 'zod';
import { jsonIn } from '../../platform/json-in.ts';
import { plainId } from '../provider-api.ts';

const Id = z.string().regex(plainId);

/** `id` is absent if Klap rejected the export. */
const Export = z.object({ project: Id, id: Id.exactOptional() });

const KlapReference = z.object({
  task: Id,
  /** How many clips were paid for. */
  count: z.int().positive(),
  folder: Id.exactOptional(),
  exports: z.array(Export).readonly().exactOptional(),
});
export type KlapReference = Readonly<z.output<typeof KlapReference>>;
export type KlapExport = Readonly<z.output<typeof Export>>;

export const referenceText = (reference: KlapReference): string => JSON.stringify(reference);

/** Parses a reference. @throws for anything that {@link referenceText} did not create */
export function parseKlapReference(text: string): KlapReference {
  const parsed = KlapReference.safeParse(jsonIn(text)).data;
  if (!parsed) throw new Error('the reference is not to a job at Klap');
  return parsed;
}
