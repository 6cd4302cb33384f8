/** Brazilian tax ids: the CPF of a person and the CNPJ of a company, which contains letters since 2026. */

export interface TaxId {
  readonly type: 'CPF' | 'CNPJ';
  /** Without punctuation, in upper case. */
  readonly number: string;
}

/** With or without punctuation, but never with only a part of it. */
const cpfForm = /^(?:\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})$/;
const cnpjForm = /^(?:[0-9A-Z]{12}\d{2}|[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2})$/;

/** Digits count as themselves, and letters from 17 on: their codes less that of `0`. */
const valueAt = (text: string, index: number): number => text.charCodeAt(index) - 48;

/** Weights grow from 2 at the last character, up to `largest`, after which they start again. */
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

/** Repeated digits have valid check digits, but no CPF consists of them; the same holds for zeros in a CNPJ. */
const isPlaceholder = (number: string): boolean => /^(\d)\1*$/.test(number);

/** Undefined if the text is neither a CPF nor a CNPJ. */
export function parseTaxId(text: string): TaxId | undefined {
  const shouted = text.toUpperCase();
  const number = shouted.replaceAll(/[./-]/g, '');
  if (isPlaceholder(number)) return undefined;
  if (cpfForm.test(shouted) && hasCheckDigits(number, 12)) return { type: 'CPF', number };
  if (cnpjForm.test(shouted) && hasCheckDigits(number, 9)) return { type: 'CNPJ', number };
  return undefined;
}
