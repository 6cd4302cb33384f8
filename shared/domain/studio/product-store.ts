/** Stores the products of accounts, and lists them without reading more than a page. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import type { Action, Item, Table } from '../../platform/dynamo-table.ts';
import { listedProductKey, ownIdOf, productKey } from '../keys.ts';
import { type ListRange, newestFirst } from '../list-page.ts';
import { readableItems } from '../readable-rows.ts';
import { parseRow } from '../stored-row.ts';
import { StoredImage, type StudioImage } from './studio-image.ts';

export interface Product {
  readonly accountId: string;
  readonly productId: string;
  readonly title: string;
  readonly description: string;
  /** The product's images, from one to six. */
  readonly images: readonly StudioImage[];
  readonly createdAt: number;
}

export interface ProductStore {
  /** Finds a product of this account; `productId` may be any text. */
  find(accountId: string, productId: string): Promise<Product | undefined>;
  /** Lists products, newest first, including those created a moment ago. */
  list(accountId: string, range: ListRange): Promise<Product[]>;
}

const ProductRow = once(() =>
  z.object({
    title: z.string(),
    description: z.string(),
    images: z.array(StoredImage()).min(1),
    createdAt: z.int(),
  }),
);

const toProduct = (accountId: string, item: Item): Product => ({
  accountId,
  productId: ownIdOf(item),
  ...parseRow('product', ProductRow(), item),
});

/** Inserts a product and its entry in the list. */
export const insertProduct = ({ accountId, productId, ...product }: Product): Action[] => [
  {
    Put: {
      Item: { ...productKey(accountId, productId), ...product },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  },
  { Put: { Item: { ...listedProductKey(accountId, productId) } } },
];

export function productStore(table: Table): ProductStore {
  return {
    async find(accountId, productId) {
      const item = await table.get(productKey(accountId, productId));
      return item && toProduct(accountId, item);
    },
    async list(accountId, range) {
      const { pk } = listedProductKey(accountId, '');
      const listed = await table.list(newestFirst({ pk, after: range.after }), range);
      if (listed.length === 0) return [];
      const items = await table.getMany(listed.map(({ sk }) => productKey(accountId, String(sk))));
      const products = readableItems(table, 'product', items, (item) => toProduct(accountId, item));
      return products.toSorted((one, other) => (one.productId < other.productId ? 1 : -1));
    },
  };
}
