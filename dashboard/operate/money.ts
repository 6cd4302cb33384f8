/** Formats money with its currency: payments are in reais, what engines charge is in US dollars. */

const digits = (least: number, most: number) =>
  new Intl.NumberFormat('en', { minimumFractionDigits: least, maximumFractionDigits: most });

const [exact, small] = [digits(2, 2), digits(2, 4)];

/** A minus sign is before the number, so that both parts stay together. */
const written = (currency: string, amount: number, format = exact): string =>
  `${currency}\u00A0${format.format(amount).replace('-', '−')}`;

/** Millionths of a US dollar; amounts below a dollar have up to four digits, because a task often costs less than a cent. */
export const dollars = (micros: number | null): string =>
  micros === null ? '–' : written('US$', micros / 1_000_000, Math.abs(micros) < 1_000_000 ? small : exact);

export const reais = (cents: number): string => written('R$', cents / 100);

/** A margin as a part of what it is a margin of. */
export const percent = (margin: number, of: number): string =>
  of === 0 ? '–' : `${Math.round((margin / of) * 100)}%`.replace('-', '−');
