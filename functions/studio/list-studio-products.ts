import { studioContracts } from '../../shared/contracts/studio.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { products } from '../../shared/domain/store-ports.ts';
import type { Product } from '../../shared/domain/studio/product-store.ts';
import { addressOf } from '../../shared/domain/studio/studio-image.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

const present = ({ productId, title, description, images, createdAt }: Product, resultsUrl: string) => ({
  id: productId,
  title,
  description,
  images: images.map((image) => ({ url: addressOf(image, resultsUrl) })),
  createdAt: timestamp(createdAt),
});

/** Lists the account's products, newest first. */
export const listStudioProducts: Operation<'listStudioProducts', 'products'> = async ({ actor, query }, context) => {
  const found = await context.products.list(actor.accountId, query);
  const kind = { kind: 'product', idOf: ({ productId }: Product) => productId };
  const products = readable(context.table, kind, found, (product) => present(product, context.settings.resultsUrl));
  return { products, limit: query.limit, offset: query.offset };
};

export const definition = sharedLambda(studioContracts.listStudioProducts, listStudioProducts, { products });
