import { publicContracts } from '../../shared/contracts/public.ts';
import { packsRow } from '../../shared/domain/catalog/packs-row.ts';
import { plansRow } from '../../shared/domain/catalog/plans-row.ts';
import { catalog } from '../../shared/domain/store-ports.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

const currency = 'BRL';
const inMainUnit = (cents: number): number => cents / 100;

/** Lists plans and packs, with prices in the main currency unit. */
export const listPlans: Operation<'listPlans', 'catalog'> = async (_request, { catalog }) => {
  const [{ plans, showAnnualToggle, annualBadge }, creditPacks] = await Promise.all([
    catalog.read(plansRow),
    catalog.read(packsRow),
  ]);
  return {
    plans: plans.map(({ id, name, priceMonthlyCents, priceAnnualCents, credits, lines }) => ({
      id,
      name,
      priceMonthly: inMainUnit(priceMonthlyCents),
      priceAnnual: inMainUnit(priceAnnualCents),
      currency,
      credits,
      features: [...lines],
    })),
    creditPacks: creditPacks.map(({ id, name, credits, priceCents, isPopular }) => ({
      id,
      name,
      credits,
      price: inMainUnit(priceCents),
      currency,
      isPopular,
    })),
    showAnnualToggle,
    annualBadge,
  };
};

export const definition = sharedLambda(publicContracts.listPlans, listPlans, { catalog });
