/** The plans on sale, and how the pricing page shows them. */
import * as z from 'zod';
import { defaultPlans, type PlanCatalog, type PlanEntry } from '../../catalog/plans.ts';
import { features } from '../../contracts/features.ts';
import { offersLimit, planLinesLimit } from '../../contracts/limits.ts';
import { cents, credits, label, listOf } from './catalog-fields.ts';
import type { CatalogRow } from './catalog-row.ts';

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

export const plansRow: CatalogRow<Omit<PlanCatalog, 'creditPacks'>> = {
  name: 'plans',
  members: () => ({
    plans: { schema: () => listOf(plan(), offersLimit), byDefault: defaultPlans.plans },
    showAnnualToggle: { schema: () => z.boolean(), byDefault: defaultPlans.showAnnualToggle },
    annualBadge: { schema: () => z.string().max(120), byDefault: defaultPlans.annualBadge },
  }),
  toValue: (members) => members as unknown as PlanCatalog,
};
