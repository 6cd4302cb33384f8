/**
 * A program of its own, run as a child: the work on pixels fills a processor and the memory, reads what strangers made
 * and must end at once when it is not wanted any more. See image-order.ts for what it reads and writes.
 */
import { text } from 'node:stream/consumers';
import { type MadeFile, WorkFailure } from '../ability.ts';
import type { ImageContext, ImageOrder, ImageReport } from './image-order.ts';
import type { ImageOperation, ImageRequest } from './image-requests.ts';

type Making<Operation extends ImageOperation> = (
  request: ImageRequest<Operation>,
  context: ImageContext,
) => Promise<readonly MadeFile[]>;

/** Loaded when needed: some bring a neural network along. */
const operations: { readonly [Operation in ImageOperation]: () => Promise<Making<Operation>> } = {
  'skin-enhance': async () => (await import('./skin-enhance.ts')).enhanceSkin,
  image: async () => (await import('./sandbox-render.ts')).renderSandbox,
  'image-edit': async () => (await import('./image-edit.ts')).editImage,
  'character-replace': async () => (await import('./character-replace.ts')).replaceCharacter,
  'background-remove': async () => (await import('./background-remove.ts')).removeBackground,
  'image-upscale': async () => (await import('./image-upscale.ts')).upscaleImage,
  influencer: async () => (await import('./influencer.ts')).portrayInfluencer,
};

const say = (report: ImageReport) => process.stdout.write(`${JSON.stringify(report)}\n`);

const order = JSON.parse(await text(process.stdin)) as ImageOrder;
const make = (await operations[order.operation]()) as Making<ImageOperation>;
try {
  const { filesDir, fileStem } = order;
  const progress = (percent: number) => say({ progress: percent });
  say({ files: await make(order.request as never, { filesDir, fileStem, progress }) });
} catch (error) {
  if (!(error instanceof WorkFailure)) throw error;
  say({ failure: { code: error.code, message: error.message } });
}
