/** Resolves what a request for a Studio video refers to: catalog entries, a product and an avatar. */

import type { StudioCatalog, StudioMode } from '../../catalog/studio.ts';
import type { StudioScene } from '../../contracts/studio-scene.ts';
import { studioRow } from '../catalog/studio-row.ts';
import { aspectRatioAt } from '../generation/aspect-ratio-at.ts';
import type { Inspection } from '../generation/inspection.ts';
import { Rejection } from '../rejection.ts';
import type { Avatar } from './avatar-store.ts';
import type { Product } from './product-store.ts';
import { addressOf } from './studio-image.ts';

export interface StudioVideo {
  readonly mode: string;
  readonly productId: string;
  readonly userPrompt?: string | undefined;
  readonly hookId?: string | undefined;
  readonly settingId?: string | undefined;
  readonly avatarId?: string | undefined;
  readonly aspectRatio: 'auto' | StudioScene['aspectRatio'];
}

const missing = (message: string) => new Rejection('generation-failed', { message });
const invalid = (message: string) => new Rejection('invalid', { message });

/** Treats empty ids as absent. */
const withoutEmptyIds = ({ hookId, settingId, avatarId, ...body }: StudioVideo): StudioVideo => ({
  ...body,
  ...(hookId !== '' && { hookId }),
  ...(settingId !== '' && { settingId }),
  ...(avatarId !== '' && { avatarId }),
});

/** The mode of a request. @throws {Rejection} generation-failed */
export function modeOf({ mode: slug }: Pick<StudioVideo, 'mode'>, { modes }: StudioCatalog): StudioMode {
  const mode = modes.find((candidate) => candidate.slug === slug);
  if (!mode) throw missing('The mode does not exist.');
  return mode;
}

function entryOf<Entry extends { readonly id: string }>(
  [field, noun]: readonly [field: string, noun: string],
  id: string | undefined,
  entries: readonly Entry[],
): Entry | undefined {
  const entry = entries.find((candidate) => candidate.id === id);
  if (id !== undefined && !entry) throw invalid(`${field} must be the id of ${noun} in the Studio catalog`);
  return entry;
}

function checkAvatarPolicy({ slug, avatarPolicy }: StudioMode, { avatarId }: StudioVideo): void {
  if (avatarPolicy === 'forbidden' && avatarId !== undefined) {
    throw invalid(`avatarId is not allowed in mode ${slug}`);
  }
  if (avatarPolicy === 'required' && avatarId === undefined) throw invalid(`avatarId is required in mode ${slug}`);
}

async function castOf(
  { productId, avatarId }: StudioVideo,
  { accountId, products, avatars }: Inspection,
): Promise<{ readonly product: Product; readonly avatar: Avatar | undefined }> {
  if (!products || !avatars) throw new Error('the function has no stores of products and avatars');
  const [product, avatar] = await Promise.all([
    products.find(accountId, productId),
    avatarId === undefined ? undefined : avatars.find(accountId, avatarId),
  ]);
  if (!product) throw missing('The product does not exist.');
  if (avatarId !== undefined && !avatar) throw missing('The avatar does not exist.');
  return { product, avatar };
}

/** The line to speak, exactly as the request has it; a blank one counts as none. */
const speechOf = ({ speechPolicy }: StudioMode, { userPrompt = '' }: StudioVideo) => ({
  speechPolicy,
  ...(speechPolicy !== 'forbidden' && userPrompt.trim() !== '' && { line: userPrompt }),
});

/** Resolves the references of a request. @throws {Rejection} invalid, generation-failed */
export async function planStudioVideo(request: StudioVideo, inspection: Inspection): Promise<StudioScene> {
  const body = withoutEmptyIds(request);
  const { catalog, outbound, settings } = inspection;
  const studio = await catalog.read(studioRow);
  const mode = modeOf(body, studio);
  const { slug, name, description, direction } = mode;
  const hook = entryOf(['hookId', 'a hook'], body.hookId, studio.hooks);
  const setting = entryOf(['settingId', 'a setting'], body.settingId, studio.settings);
  checkAvatarPolicy(mode, body);
  const { product, avatar } = await castOf(body, inspection);
  const images = product.images.map((image) => addressOf(image, settings.resultsUrl));
  const [first] = images;
  if (first === undefined) throw new Error(`the product ${product.productId} has no image`);
  return {
    aspectRatio: body.aspectRatio === 'auto' ? await aspectRatioAt(first, outbound) : body.aspectRatio,
    scene: { mode: { slug, name, description, direction }, ...(hook && { hook }), ...(setting && { setting }) },
    ...speechOf(mode, body),
    product: { title: product.title, description: product.description, images },
    ...(avatar && {
      avatar: {
        name: avatar.name,
        ...(avatar.gender !== undefined && { gender: avatar.gender }),
        image: addressOf(avatar.image, settings.resultsUrl),
      },
    }),
  };
}
