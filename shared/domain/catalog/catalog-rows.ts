/** The members of the catalog that operators can change, by row: what each accepts, and its default. */
import * as z from 'zod';
import type { CouponEntry } from '../../catalog/coupons.ts';
import { EngineChoice } from '../../catalog/engine-choice.ts';
import { choicesOf } from '../../catalog/engines.ts';
import { defaultPlans, type PackEntry, type PlanEntry } from '../../catalog/plans.ts';
import { defaultPrices } from '../../catalog/prices.ts';
import { defaultStudio, type StudioHook, type StudioMode, type StudioSetting } from '../../catalog/studio.ts';
import { defaultVoiceIds } from '../../catalog/voices.ts';
import { billingCycles } from '../../contracts/billing-cycles.ts';
import { features } from '../../contracts/features.ts';
import { offersLimit, planLinesLimit } from '../../contracts/limits.ts';
import { avatarPolicies, maxStudioEntries, speechPolicies } from '../../contracts/studio-catalog.ts';
import { taskTypes } from '../../contracts/task-types.ts';

export const catalogRowNames = [
  'plans',
  'packs',
  'coupons',
  'prices',
  'studio',
  'switches',
  'routes',
  'voices',
] as const;
export type CatalogRowName = (typeof catalogRowNames)[number];

export interface CatalogMember {
  /** Builds the schema, which only stored members need. */
  readonly schema: () => z.ZodType;
  readonly byDefault: unknown;
}

export type CatalogMembers = Readonly<Record<string, CatalogMember>>;

const label = () => z.string().min(1).max(120);
const credits = () => z.int().min(1).max(1_000_000_000);
const cents = () => z.int().min(0).max(1_000_000_000);

const isUnique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

const listOf = <Entry extends z.ZodType<{ readonly id: string }>>(entry: Entry, maximum: number) =>
  z
    .array(entry)
    .max(maximum)
    .refine((entries) => isUnique(entries.map(({ id }) => id)), { error: 'ids must be unique' });

const plan = () =>
  z.strictObject({
    id: label(),
    name: label(),
    priceMonthlyCents: cents(),
    priceAnnualCents: cents(),
    credits: credits(),
    lines: z.array(label()).max(planLinesLimit),
    features: z.array(z.enum(features)),
  }) satisfies z.ZodType<PlanEntry>;

const pack = () =>
  z.strictObject({
    id: label(),
    name: label(),
    credits: credits(),
    priceCents: cents().min(1),
    isPopular: z.boolean(),
  }) satisfies z.ZodType<PackEntry>;

/** A coupon code of the only characters that payment gateways accept. */
const couponCode = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,40}$/, { error: 'must consist of 1 to 40 letters, digits, hyphens and underscores' });

const coupon = () =>
  z
    .strictObject({
      code: couponCode(),
      percentOff: z.int().min(1).max(100).optional(),
      amountOffCents: cents().min(1).optional(),
      duration: z.enum(['once', 'forever']),
      planIds: z.array(label()).min(1).max(50).optional(),
      billingCycles: z.array(z.enum(billingCycles)).min(1).optional(),
      maxRedemptions: z.int().min(1).max(1_000_000_000).optional(),
      expiresAt: z.iso.datetime().optional(),
    })
    .refine(({ percentOff, amountOffCents }) => (percentOff === undefined) !== (amountOffCents === undefined), {
      error: 'must have either percentOff or amountOffCents',
    }) satisfies z.ZodType<CouponEntry>;

const coupons = () =>
  z
    .array(coupon())
    .max(500)
    .refine((entries) => isUnique(entries.map(({ code }) => code.toUpperCase())), {
      error: 'codes must be unique in any case',
    });

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

/** The schema of a price: the same numbers as its default, each at least 1. */
const price = (byDefault: Readonly<Record<string, number>>) =>
  z.strictObject(Object.fromEntries(Object.keys(byDefault).map((name) => [name, z.int().min(1).max(1_000_000)])));

/** The schema of a voice id, which becomes a part of a URL and so allows no other characters. */
const voiceId = () =>
  z.string().regex(/^[A-Za-z0-9]{8,64}$/, { error: 'must be a voice id: 8 to 64 letters and digits' });

/** The rows of the catalog. `engineNames` are the engines of this service, in order of preference. */
export function catalogRows(engineNames: readonly string[]): Readonly<Record<CatalogRowName, CatalogMembers>> {
  const { plans, creditPacks, showAnnualToggle, annualBadge } = defaultPlans;
  const routes = choicesOf(engineNames);
  return {
    plans: {
      plans: { schema: () => listOf(plan(), offersLimit), byDefault: plans },
      showAnnualToggle: { schema: () => z.boolean(), byDefault: showAnnualToggle },
      annualBadge: { schema: () => z.string().max(120), byDefault: annualBadge },
    },
    packs: { creditPacks: { schema: () => listOf(pack(), offersLimit), byDefault: creditPacks } },
    coupons: { coupons: { schema: coupons, byDefault: [] } },
    prices: Object.fromEntries(
      Object.entries(defaultPrices).map(([name, byDefault]) => [name, { schema: () => price(byDefault), byDefault }]),
    ),
    studio: {
      modes: { schema: studioModes, byDefault: defaultStudio.modes },
      hooks: { schema: () => listOf(studioHook(), maxStudioEntries), byDefault: defaultStudio.hooks },
      settings: { schema: () => listOf(studioSetting(), maxStudioEntries), byDefault: defaultStudio.settings },
    },
    switches: { off: { schema: () => z.array(z.string().min(1).max(120)), byDefault: [] } },
    routes: Object.fromEntries(
      taskTypes.map((taskType) => [taskType, { schema: EngineChoice, byDefault: routes[taskType] }]),
    ),
    voices: Object.fromEntries(
      Object.entries(defaultVoiceIds).map(([slug, byDefault]) => [slug, { schema: voiceId, byDefault }]),
    ),
  };
}
