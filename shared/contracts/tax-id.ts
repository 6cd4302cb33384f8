/** Brazilian tax ids: CPF (people) and CNPJ (companies), which may contain letters since 2026. */

export interface TaxId {
  readonly type: 'CPF' | 'CNPJ';
  /** A normalized tax id: upper case, without punctuation. */
  readonly number: string;
}

/** A tax id is accepted with all of its punctuation or none, never with only part of it. */
const cpfForm = /^(?:\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})$/;
const cnpjForm = /^(?:[0-9A-Z]{12}\d{2}|[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2})$/;

/**
 * The value of a character in the checksum: its ASCII code minus that of `0`, so digits are 0 to 9 and letters start at
 * 17.
 */
const valueAt = (text: string, index: number): number => text.charCodeAt(index) - 48;

/** Weights count up from 2 at the last character to `largest`, then start again at 2. */
function checkDigit(text: string, largest: number): string {
  const weightAt = (index: number) => 2 + ((text.length - 1 - index) % (largest - 1));
  const sum = Array.from(text, (_, index) => valueAt(text, index) * weightAt(index)).reduce((one, two) => one + two, 0);
  const rest = sum % 11;
  return String(rest < 2 ? 0 : 11 - rest);
}

function hasCheckDigits(number: string, largest: number): boolean {
  const stem = number.slice(0, -2);
  const first = checkDigit(stem, largest);
  return number === `${stem}${first}${checkDigit(`${stem}${first}`, largest)}`;
}

/** Whether all digits are the same: such numbers can pass the checksum, but are never issued. */
const isPlaceholder = (number: string): boolean => /^(\d)\1*$/.test(number);

/** Normalizes a tax id; undefined if the text is neither a CPF nor a CNPJ. */
export function parseTaxId(text: string): TaxId | undefined {
  const upperCase = text.toUpperCase();
  const number = upperCase.replaceAll(/[./-]/g, '');
  if (isPlaceholder(number)) return undefined;
  if (cpfForm.test(upperCase) && hasCheckDigits(number, 12)) return { type: 'CPF', number };
  if (cnpjForm.test(upperCase) && hasCheckDigits(number, 9)) return { type: 'CNPJ', number };
  return undefined;
}
