/** The default plans and credit packs; the catalog's PLANS row replaces them without a deployment. Prices are in cents. */
import type { Feature } from '../contracts/features.ts';

export interface PlanEntry {
  readonly id: string;
  readonly name: string;
  readonly priceMonthlyCents: number;
  readonly priceAnnualCents: number;
  readonly credits: number;
  /** Bullet points that the pricing page shows for the plan. */
  readonly lines: readonly string[];
  /** The features that the plan includes. */
  readonly features: readonly Feature[];
}

export interface PackEntry {
  readonly id: string;
  readonly name: string;
  readonly credits: number;
  readonly priceCents: number;
  readonly isPopular: boolean;
}

export interface PlanCatalog {
  readonly plans: readonly PlanEntry[];
  readonly creditPacks: readonly PackEntry[];
  readonly showAnnualToggle: boolean;
  readonly annualBadge: string;
}

export const defaultPlans: PlanCatalog = {
  plans: [
    {
      id: 'starter',
      name: 'Starter',
      priceMonthlyCents: 4990,
      priceAnnualCents: 49_900,
      credits: 500,
      lines: ['500 credits a month', 'Images, videos and voice by API'],
      features: [],
    },
    {
      id: 'pro',
      name: 'Pro',
      priceMonthlyCents: 14_990,
      priceAnnualCents: 149_900,
      credits: 2000,
      lines: ['2,000 credits a month', 'Clips from long videos', 'Marketing Studio'],
      features: ['cortes', 'studio'],
    },
    {
      id: 'business',
      name: 'Business',
      priceMonthlyCents: 39_990,
      priceAnnualCents: 399_900,
      credits: 6000,
      lines: ['6,000 credits a month', 'Clips from long videos', 'Marketing Studio', 'Autopilot inbox'],
      features: ['cortes', 'studio', 'piloto'],
    },
  ],
  creditPacks: [
    { id: 'pack-100', name: '100 credits', credits: 100, priceCents: 1490, isPopular: false },
    { id: 'pack-500', name: '500 credits', credits: 500, priceCents: 5990, isPopular: true },
    { id: 'pack-1500', name: '1,500 credits', credits: 1500, priceCents: 14_990, isPopular: false },
    { id: 'pack-5000', name: '5,000 credits', credits: 5000, priceCents: 44_990, isPopular: false },
  ],
  showAnnualToggle: true,
  annualBadge: '2 months free',
};
