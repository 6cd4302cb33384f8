/** Clients' commands on files and the Studio's resources. */
import { unusedUntil } from '../../../shared/domain/files/file.ts';
import { fileKey } from '../../../shared/domain/keys.ts';
import type { Fault } from '../faults/fault-plan.ts';
import { ensure } from '../oracle/ensure.ts';
import { originName } from '../oracle/studio-invariants.ts';
import { type Act, type Command, command, nthOf } from './command.ts';
import type { ModelAccount, Permit } from './model.ts';
import { accountAt, askingOnce, creatingTask, ensureResponse } from './request-commands.ts';
import type { StudioPermit } from './studio-model.ts';
import { requestingOnce, type StudioRequest, type StudioResponse } from './studio-request.ts';
import { contentOf, type UploadedContent, type UploadForm, uploadBytes, uploaded } from './uploads.ts';

type Births = NonNullable<StudioPermit['births']>;

/** What a response permits, if a request that succeeds makes so many resources. */
function permitFor(
  response: StudioResponse,
  births: Births,
  effects: Pick<StudioPermit, 'uses' | 'replaces'> = {},
): Permit {
  switch (response.status) {
    case 'made':
      return { studio: { births, named: [response.id], ...effects } };
    case 'repeated':
      return { studio: { births: { ...births, exactly: 0 }, named: [response.id] } };
    case 'unknown':
      return { studio: { births, ...effects } };
    default:
      return {};
  }
}

export interface UploadArgs {
  readonly account: number;
  readonly key?: string | undefined;
  /** Nothing, if the form is not used. */
  readonly content?: UploadedContent | undefined;
}

/** Announces a file, and sends it by the form. */
export const upload = (args: UploadArgs, faults: readonly Fault[]): Command =>
  command({
    name: 'upload',
    args,
    faults,
    needsTask: false,
    async run(act): Promise<Permit> {
      const account = accountAt(act, args.account);
      const { key, content } = args;
      const body = { contentType: 'image/png', bytes: uploadBytes };
      const response = await requestingOnce(act, { account, operationId: 'createFile', key, body });
      if ('data' in response && content !== undefined) {
        const { upload: form } = response.data as { upload: UploadForm };
        ensure(await uploaded(form, content), 'a form takes what was announced', form);
        act.model.studio.uploads.set(response.id, content);
      }
      return permitFor(response, { kind: 'files', accountId: account.accountId, exactly: 1 });
    },
  });

/** Whether a file can be used by an account now. */
export function isUsable({ model, world }: Act, { accountId }: ModelAccount, fileId: string): boolean {
  const file = model.seen.studio.files.get(fileId);
  if (file?.accountId !== accountId) return false;
  if (file.row.key !== undefined) return true;
  const content = model.studio.uploads.get(fileId);
  return unusedUntil(Number(file.row.createdAt)) > world.clock.now() && content !== undefined && content !== 'text';
}

/** Files of any account, by numbers that know nothing of how many there are; each once. */
const filesAt = ({ model }: Act, numbers: readonly number[]): string[] => {
  const ids = [...model.seen.studio.files.keys()].toSorted();
  return [...new Set(numbers.flatMap((number) => nthOf(ids, number) ?? []))];
};

export const texts = { title: 'Caneca azul', description: 'Uma caneca de cerâmica.' };

export interface ProductArgs {
  readonly account: number;
  readonly key?: string | undefined;
  readonly files: readonly number[];
  /** With an image at a URL; always, if there are no files. */
  readonly linked: boolean;
  /** Otherwise, title and description are written. */
  readonly described: boolean;
}

export const createProduct = (args: ProductArgs, faults: readonly Fault[]): Command =>
  command({
    name: 'createProduct',
    args,
    faults,
    needsTask: false,
    async run(act): Promise<Permit> {
      const account = accountAt(act, args.account);
      const files = filesAt(act, args.files);
      const body = {
        ...(files.length > 0 && { productFileIds: files }),
        ...((args.linked || files.length === 0) && { images: [act.world.host.engine.imageUrl] }),
        ...(args.described && texts),
      };
      const isRejected = () => files.some((fileId) => !isUsable(act, account, fileId));
      const request = { account, operationId: 'createStudioProduct', key: args.key, body, isRejected } as const;
      const response = await requestingOnce(act, request);
      return permitFor(
        response,
        { kind: 'products', accountId: account.accountId, exactly: 1 },
        isRejected() ? {} : { uses: files },
      );
    },
  });

export interface AvatarArgs {
  readonly account: number;
  readonly key?: string | undefined;
  readonly origin?: string | undefined;
  readonly file?: number | undefined;
  readonly name: string;
}

/** The avatar that an account made from an origin. */
export function avatarFrom({ model }: Act, { accountId }: ModelAccount, origin: string | undefined) {
  const { avatars, origins } = model.seen.studio;
  const reserved = origin === undefined ? undefined : origins.get(originName(accountId, origin));
  return reserved !== undefined && avatars.has(reserved) ? reserved : undefined;
}

/** Creates an avatar, or replaces the one of the same origin. */
export const createAvatar = (args: AvatarArgs, faults: readonly Fault[]): Command =>
  command({
    name: 'createAvatar',
    args,
    faults,
    needsTask: false,
    async run(act): Promise<Permit> {
      const account = accountAt(act, args.account);
      const { key, name, origin } = args;
      const files = args.file === undefined ? [] : filesAt(act, [args.file]);
      const body = {
        name,
        ...(files.length > 0 ? { avatarFileId: files[0] } : { imageUrl: act.world.host.engine.imageUrl }),
        ...(origin !== undefined && { sourceInfluencerId: origin }),
      };
      const isRejected = () => files.some((fileId) => !isUsable(act, account, fileId));
      const request: StudioRequest = { account, operationId: 'createStudioAvatar', key, body, isRejected };
      const replaces = avatarFrom(act, account, origin);
      const response = await requestingOnce(act, request);
      if (response.status === 'made' && replaces !== undefined)
        ensure(response.id === replaces, 'an origin always gives the same avatar', { response, replaces });
      return permitFor(
        response,
        { kind: 'avatars', accountId: account.accountId, exactly: replaces === undefined ? 1 : 0 },
        { replaces, ...(!isRejected() && { uses: files }) },
      );
    },
  });

interface ListedProduct {
  readonly id: string;
  readonly images: readonly { readonly url: string }[];
}

async function ensureServed(images: ListedProduct['images']): Promise<void> {
  const kept = images.find(({ url }) => url.includes('/files/'));
  if (!kept) return;
  const response = await fetch(kept.url);
  const content = contentOf(Buffer.from(await response.arrayBuffer()));
  ensure(content?.endsWith('image') === true, 'an image of a file is served', { kept, content });
}

/** An account's products are those that it created, newest first, with images that are served. */
export const listProducts = (args: { account: number }, faults: readonly Fault[]): Command =>
  command({
    name: 'listProducts',
    args,
    faults,
    needsTask: false,
    async run(act): Promise<Permit> {
      const account = accountAt(act, args.account);
      const response = await askingOnce(act, account, (token) =>
        act.world.host.call('listStudioProducts', { token, query: 'limit=100' }),
      );
      if (!response) return {};
      ensureResponse(act, response, '200');
      if (response.status !== 200) return {};
      const { products } = response.body.data as { products: readonly ListedProduct[] };
      const own = [...act.model.seen.studio.products].filter(([, { accountId }]) => accountId === account.accountId);
      const expected = own.map(([id]) => id).toSorted((one, other) => (one < other ? 1 : -1));
      const listed = products.map(({ id }) => id);
      ensure(listed.join() === expected.join(), 'products are listed newest first, and no others', {
        listed,
        expected,
      });
      await ensureServed(products[0]?.images ?? []);
      return {};
    },
  });

/** Typed by hand: 4 of the 15 seconds for which this mode costs 80 credits at 480p. */
const videoCost = 22;

export interface StudioVideoArgs {
  readonly account: number;
  readonly key?: string | undefined;
  readonly product: number;
  readonly avatar?: number | undefined;
  readonly webhook: boolean;
}

/** A video of a product and an avatar, of any account: only its own can be used. */
export const createStudioVideo = (args: StudioVideoArgs, faults: readonly Fault[]): Command =>
  command({
    name: 'createStudioVideo',
    args,
    faults,
    needsTask: false,
    async run(act): Promise<Permit> {
      const { model, world } = act;
      const account = accountAt(act, args.account);
      const { key } = args;
      const { products, avatars } = model.seen.studio;
      const product = nthOf([...products], args.product);
      const avatar = args.avatar === undefined ? undefined : nthOf([...avatars], args.avatar);
      const cast = [product, ...(avatar ? [avatar] : [])];
      const isOwn = cast.every((one) => one?.[1].accountId === account.accountId);
      const body = {
        mode: 'unboxing',
        productId: product?.[0] ?? 'no such product',
        ...(avatar && { avatarId: avatar[0] }),
        resolution: '480p',
        aspectRatio: '1:1',
        durationSec: 4,
        ...(args.webhook && { callbackUrl: world.callbackUrl }),
      };
      const headers = key === undefined ? {} : { 'idempotency-key': key, 'x-client-reference': key };
      const rejection = isOwn ? undefined : 'GENERATION_FAILED';
      return creatingTask(act, { account, key, cost: videoCost, rejection }, (token) =>
        world.host.call('generateStudioVideo', { token, body, headers }),
      );
    },
  });

/** Days go by; then the table may remove what has expired, or may not have come to it yet. */
export const expire = (args: { days: number; removed: boolean }): Command =>
  command({
    name: 'expire',
    args,
    faults: [],
    needsTask: false,
    async run({ model, world }): Promise<Permit> {
      world.clock.advance(args.days * 24 * 3_600_000);
      if (!args.removed) return {};
      const now = world.clock.now() / 1000;
      const gone = [...model.seen.studio.files].filter(([, { row }]) => Number(row.expiresAt ?? Infinity) <= now);
      for (const [fileId, { accountId }] of gone)
        await world.context.table.transact([{ Delete: { Key: fileKey(accountId, fileId) } }]);
      return { studio: { removes: gone.map(([fileId]) => fileId) } };
    },
  });
