import { studioContracts } from '../../shared/contracts/studio.ts';
import { products } from '../../shared/domain/store-ports.ts';
import type { Product } from '../../shared/domain/studio/product-store.ts';
import { addressOf } from '../../shared/domain/studio/studio-image.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { operationLambda } from '../../shared/runtime/operation-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

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
  return { products: found.map((product) => present(product, context.settings.resultsUrl)), ...query };
};

export const definition = operationLambda(studioContracts.listStudioProducts, listStudioProducts, { products });
