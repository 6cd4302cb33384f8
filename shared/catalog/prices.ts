/** The default prices, in credits; the catalog's PRICES row replaces any of them without a deploy. */

export const defaultPrices = {
  voice: { charactersPerCredit: 50 },
};

export type Prices = typeof defaultPrices;
