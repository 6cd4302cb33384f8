/** Creates a product; a missing title or description is generated from the images. */
import type { Logger } from '@aws-lambda-powertools/logger';
import { describedProductsPerDay } from '../../contracts/limits.ts';
import { studioContracts } from '../../contracts/studio.ts';
import { uploadIdIn } from '../../contracts/uploads.ts';
import { pathText } from '../../contracts/user-addresses.ts';
import { untilAborted } from '../../platform/until-aborted.ts';
import type {
  NoTexts,
  OnUse,
  ProductTexts,
  SeenImage,
  SeenProduct,
  TextWriter,
} from '../../text-writers/text-writer.ts';
import { countWithin } from '../count-on-day.ts';
import { chargingTexts } from '../engine-jobs/text-costs.ts';
import { countProductTexts } from '../figures/product-texts.ts';
import { keeping, openFiles, storeImages, type UsableFile } from '../files/use-files.ts';
import type { Write } from '../idempotency/run-once.ts';
import { downloadImage } from '../media/download-image.ts';
import { isProblem, problemText } from '../media/media-problem.ts';
import { Rejection } from '../rejection.ts';
import { isTestAccount } from '../test-account.ts';
import { insertProduct, type Product } from './product-store.ts';
import {
  type CreationNeeds,
  type CreationRequest,
  createOnce,
  outsideAddressesIn,
  uploadsIn,
} from './studio-creation.ts';
import type { StudioImage } from './studio-image.ts';

/** The texts of a product in test mode, in which none are generated. */
const testTexts: ProductTexts = { title: 'TEST product', description: 'A description that a test token got.' };

const contract = studioContracts.createStudioProduct;

interface Needs extends CreationNeeds {
  readonly logger: Logger;
  readonly textWriter: Pick<TextWriter, 'describeProduct'>;
}

interface ProductBody {
  readonly images?: readonly (string | { readonly url: string; readonly role?: string | undefined })[] | undefined;
  readonly productFileIds?: readonly string[] | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

interface Prepared {
  readonly product: Product;
  readonly writes: readonly Write[];
}

/** The time limit from the arrival of a request to its texts; the rest of the function's time is for writes. */
const textsMs = 24_000;
const downloadMs = 8_000;

const failed = (message: string, internal?: string): Rejection =>
  new Rejection('generation-failed', { message, ...(internal !== undefined && { internal }) });

/** An image of the product: a URL, or the stored copy of an upload. */
function toImage(
  image: NonNullable<ProductBody['images']>[number],
  files: readonly UsableFile[],
  { settings }: Needs,
): StudioImage {
  const { url, role } = typeof image === 'string' ? { url: image, role: undefined } : image;
  const fileId = uploadIdIn(settings.apiUrl, url);
  const kept = files.find((file) => file.fileId === fileId);
  return { ...(kept ? { key: kept.key } : { url }), ...(role !== undefined && { role }) };
}

/** Downloads the images. @throws {Rejection} generation-failed, which names every unusable image */
async function download({ outbound, settings }: Needs, body: ProductBody, timeLeftMs: number): Promise<SeenImage[]> {
  const timeoutMs = Math.min(downloadMs, timeLeftMs);
  const addresses = outsideAddressesIn(contract.body, body, settings);
  const found = await Promise.all(addresses.map(({ text }) => downloadImage(outbound, text, timeoutMs)));
  const problems = found.flatMap((image, index) =>
    isProblem(image) ? [problemText(pathText(addresses[index]?.path ?? []), image)] : [],
  );
  if (problems.length > 0) throw failed(`The title or the description could not be generated: ${problems.join('; ')}.`);
  return found as SeenImage[];
}

/** Generates the texts. The time limit also covers steps without one of their own, such as reading a key. */
async function write(
  { textWriter }: Needs,
  product: SeenProduct,
  timeLeftMs: number,
  onUse: OnUse,
): Promise<ProductTexts | NoTexts> {
  const signal = AbortSignal.timeout(timeLeftMs);
  return untilAborted(textWriter.describeProduct(product, timeLeftMs, onUse), signal).catch((error: unknown) => {
    if (error === signal.reason) return { problem: 'the time limit was reached' };
    throw error;
  });
}

/** Language models are paid for, so each attempt counts, whatever it results in. @throws {Rejection} rate-limited */
const countDescription = (needs: Needs, accountId: string): Promise<void> =>
  countWithin(
    needs,
    accountId,
    { name: 'descriptions', limit: describedProductsPerDay },
    `The account has had texts generated for ${describedProductsPerDay} products today (UTC): send title and description`,
  );

/** Returns the texts, generating missing ones. @throws {Rejection} generation-failed, rate-limited */
async function textsOf(
  needs: Needs,
  { accountId, body }: CreationRequest<ProductBody>,
  files: readonly UsableFile[],
  until: number,
): Promise<ProductTexts> {
  const { title, description } = body;
  if (title !== undefined && description !== undefined) return { title, description };
  const given = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
  if (isTestAccount(accountId)) return { ...testTexts, ...given };
  const timeLeftMs = () => Math.max(1, until - needs.clock.now());
  await countDescription(needs, accountId);
  const images = [...(await download(needs, body, timeLeftMs())), ...files.map(({ image }) => image)];
  const written = await chargingTexts(
    needs,
    (onUse) => write(needs, { images, given }, timeLeftMs(), onUse),
    (cost) => needs.table.transact(countProductTexts(accountId, needs.clock.now(), cost)),
  );
  if ('problem' in written) {
    const { problem, expectation } = written;
    const reason = expectation === undefined ? '' : `: ${expectation}`;
    throw failed(`The title or the description could not be generated from the images${reason}.`, problem);
  }
  return { ...written, ...given };
}

async function prepare(needs: Needs, request: CreationRequest<ProductBody>, arrivedAt: number): Promise<Prepared> {
  const { accountId, body } = request;
  const { clock, ids } = needs;
  const { images = [], productFileIds = [] } = body;
  const createdAt = clock.now();
  const byId = productFileIds.map((fileId, index) => ({ path: `productFileIds[${index}]`, fileId }));
  const named = [...uploadsIn(contract.body, body, needs.settings), ...byId];
  const files = await openFiles(needs, accountId, named, createdAt);
  const texts = await textsOf(needs, request, files, arrivedAt + textsMs);
  // The images are stored last, so that none are stored for a product that could not be described.
  await storeImages(needs, accountId, files);
  const product: Product = {
    accountId,
    productId: ids.next(),
    ...texts,
    images: [
      ...images.map((image) => toImage(image, files, needs)),
      ...files.filter(({ fileId }) => productFileIds.includes(fileId)).map(({ key }) => ({ key })),
    ],
    createdAt,
  };
  return { product, writes: [...insertProduct(product).map((action) => ({ action })), ...keeping(files)] };
}

/**
 * Creates a product. @throws {Rejection} switched-off, forbidden, invalid, generation-failed, rate-limited, in-progress,
 * other-body
 */
export function createProduct(needs: Needs, request: CreationRequest<ProductBody>) {
  const arrivedAt = needs.clock.now();
  return createOnce(needs, contract, request, {
    call: () => prepare(needs, request, arrivedAt),
    commit: ({ product: { productId: id, title, description }, writes }) => ({
      writes,
      data: { id, title, description },
    }),
  });
}
