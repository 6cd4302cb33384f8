import { publicContracts } from '../../shared/contracts/public.ts';
import { catalog } from '../../shared/domain/store-ports.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

const currency = 'BRL';
const inMainUnit = (cents: number): number => cents / 100;

/** Lists plans and packs, with prices in the main currency unit. */
export const listPlans: Operation<'listPlans', 'catalog'> = async (_request, { catalog }) => {
  const { plans } = await catalog.read();
  return {
    plans: plans.plans.map(({ id, name, priceMonthlyCents, priceAnnualCents, credits, lines }) => ({
      id,
      name,
      priceMonthly: inMainUnit(priceMonthlyCents),
      priceAnnual: inMainUnit(priceAnnualCents),
      currency,
      credits,
      features: [...lines],
    })),
    creditPacks: plans.creditPacks.map(({ id, name, credits, priceCents, isPopular }) => ({
      id,
      name,
      credits,
      price: inMainUnit(priceCents),
      currency,
      isPopular,
    })),
    showAnnualToggle: plans.showAnnualToggle,
    annualBadge: plans.annualBadge,
  };
};

export const definition = sharedLambda(publicContracts.listPlans, listPlans, { catalog });
