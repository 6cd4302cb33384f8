/** What Studio videos can be made of. */
import * as z from 'zod';
import {
  defaultStudio,
  type StudioCatalog,
  type StudioHook,
  type StudioMode,
  type StudioSetting,
} from '../../catalog/studio.ts';
import { avatarPolicies, maxStudioEntries, speechPolicies } from '../../contracts/studio-catalog.ts';
import { credits, isUnique, label, listOf } from './catalog-fields.ts';
import type { CatalogRow } from './catalog-row.ts';

/** The name by which requests refer to an entry of the Studio. */
const slug = () =>
  z
    .string()
    .max(200)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, { error: 'must consist of lower-case letters, digits and single hyphens' });

const studioEntry = () => ({
  name: label(),
  description: z.string().min(1).max(500),
  direction: z.string().min(1).max(500),
});

const studioMode = () =>
  z.strictObject({
    slug: slug(),
    ...studioEntry(),
    costsByResolution: z.strictObject({ '480p': credits(), '720p': credits() }),
    speechPolicy: z.enum(speechPolicies),
    avatarPolicy: z.enum(avatarPolicies),
  }) satisfies z.ZodType<StudioMode>;

const studioModes = () =>
  z
    .array(studioMode())
    .min(1)
    .max(maxStudioEntries)
    .refine((modes) => isUnique(modes.map((mode) => mode.slug)), { error: 'slugs must be unique' });

const studioHook = () =>
  z.strictObject({
    id: slug(),
    ...studioEntry(),
    title: z.string().min(1).max(60),
  }) satisfies z.ZodType<StudioHook>;

const studioSetting = () => z.strictObject({ id: slug(), ...studioEntry() }) satisfies z.ZodType<StudioSetting>;

export const studioRow: CatalogRow<StudioCatalog> = {
  name: 'studio',
  members: () => ({
    modes: { schema: studioModes, byDefault: defaultStudio.modes },
    hooks: { schema: () => listOf(studioHook(), maxStudioEntries), byDefault: defaultStudio.hooks },
    settings: { schema: () => listOf(studioSetting(), maxStudioEntries), byDefault: defaultStudio.settings },
  }),
  toValue: (members) => members as unknown as StudioCatalog,
};
