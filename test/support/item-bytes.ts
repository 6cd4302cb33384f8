/** Computes the size of an item by DynamoDB's rules: names and texts in UTF-8, numbers by their digits. */
import type { Item } from '../../shared/platform/dynamo-table.ts';

const textBytes = (text: string): number => Buffer.byteLength(text);

/** Numbers take one byte for every two significant digits, plus one, and one for a minus sign. */
function numberBytes(value: number): number {
  const digits = String(Math.abs(value)).replace('.', '').replace(/^0+/, '').replace(/0+$/, '');
  return Math.ceil(digits.length / 2) + 1 + (value < 0 ? 1 : 0);
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

/** Lists and maps take three bytes, plus one for each member. */
function valueBytes(value: unknown): number {
  if (typeof value === 'string') return textBytes(value);
  if (typeof value === 'number') return numberBytes(value);
  if (value instanceof Uint8Array) return value.byteLength;
  if (value instanceof Set) return sum([...value].map(valueBytes));
  if (Array.isArray(value)) return 3 + sum(value.map((member) => 1 + valueBytes(member)));
  if (typeof value === 'object' && value !== null) return 3 + itemBytes(value as Item) + Object.keys(value).length;
  return 1;
}

/** The bytes of an item, without the additional 100 that storage is billed for. */
export const itemBytes = (item: Item): number =>
  sum(Object.entries(item).map(([name, value]) => textBytes(name) + valueBytes(value)));
