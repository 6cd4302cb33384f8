/** Creates products and avatars for accounts directly, without requests. */
import { registry } from '../../shared/contracts/registry.ts';
import { type Avatar, putAvatar } from '../../shared/domain/studio/avatar-store.ts';
import { insertProduct, type Product } from '../../shared/domain/studio/product-store.ts';
import type { FullContext } from '../../shared/runtime/full-context.ts';

type Needs = Pick<FullContext, 'clock' | 'ids' | 'table'>;

/** Creates a product and returns its id. */
export async function giveProduct(
  { clock, ids, table }: Needs,
  product: Pick<Product, 'accountId'> & Partial<Product>,
): Promise<string> {
  const productId = ids.next();
  const [title, description] = ['Caneca azul', 'Feita à mão em cerâmica.'];
  const whole = {
    productId,
    title,
    description,
    images: [{ url: 'https://example.com/caneca.jpg' }],
    createdAt: clock.now(),
    ...product,
  };
  await table.transact(insertProduct(whole));
  return whole.productId;
}

/** Creates an avatar and returns its id. */
export async function giveAvatar(
  { clock, ids, table }: Needs,
  avatar: Pick<Avatar, 'accountId' | 'image'> & Partial<Avatar>,
): Promise<string> {
  const whole = { avatarId: ids.next(), name: 'Ana', createdAt: clock.now(), ...avatar };
  await table.transact([putAvatar(whole)]);
  return whole.avatarId;
}

/** Creates what the example of a Studio video refers to, so that it can be sent. */
export const giveExampleProduct = (needs: Needs, accountId: string, imageUrl: string): Promise<string> =>
  giveProduct(needs, {
    accountId,
    productId: String(registry.generateStudioVideo.example.body.productId),
    images: [{ url: imageUrl }],
  });
