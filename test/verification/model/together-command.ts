/** Requests for the same resource that come together. */
import { ensure } from '../oracle/ensure.ts';
import { type Act, type Command, command, nthOf } from './command.ts';
import type { ModelAccount, Permit } from './model.ts';
import { accountAt } from './request-commands.ts';
import { asking, isLimited } from './request-limit.ts';
import { avatarFrom, isUsable, texts } from './studio-commands.ts';
import { nameOf, posting, type StudioRequest } from './studio-request.ts';

/** Sends all at once; gives the ids in the responses, each of which must be a success. */
async function idsOf(act: Act, account: ModelAccount, requests: readonly StudioRequest[]): Promise<string[]> {
  const responses = await asking(
    act,
    account,
    requests.map((request) => posting(act, request)),
  );
  const admitted = responses.filter((response) => !isLimited(response));
  const succeeded = admitted.every(({ status }) => status < 300);
  ensure(succeeded, 'of requests that come together each succeeds', responses);
  return admitted.map(({ body }) => (body.data as { id: string }).id);
}

async function avatarsOfOneOrigin(act: Act, account: ModelAccount, times: number): Promise<Permit> {
  const origin = 'o1';
  const imageUrl = act.world.host.engine.imageUrl;
  const requests = Array.from({ length: times }, (_, index) => ({
    account,
    operationId: 'createStudioAvatar' as const,
    body: { name: `Ana ${index}`, imageUrl, sourceInfluencerId: origin },
  }));
  const replaces = avatarFrom(act, account, origin);
  const ids = await idsOf(act, account, requests);
  const different = new Set([...ids, ...(replaces === undefined ? [] : [replaces])]);
  ensure(different.size <= 1, 'an origin always gives the same avatar', { ids, replaces });
  const exactly = replaces === undefined && ids.length > 0 ? 1 : 0;
  return { studio: { births: { kind: 'avatars', accountId: account.accountId, exactly }, replaces, named: ids } };
}

async function productsOfOneFile(act: Act, account: ModelAccount, times: number, file: number): Promise<Permit> {
  const usable = [...act.model.seen.studio.files.keys()].filter((fileId) => isUsable(act, account, fileId));
  const fileId = nthOf(usable, file);
  if (fileId === undefined) return {};
  const body = { ...texts, productFileIds: [fileId] };
  const request = { account, operationId: 'createStudioProduct', body } as const;
  const ids = await idsOf(
    act,
    account,
    Array.from({ length: times }, () => request),
  );
  const births = { kind: 'products', accountId: account.accountId, exactly: ids.length } as const;
  return { studio: { births, uses: ids.length > 0 ? [fileId] : [], named: ids } };
}

/** A key that has been used before is left alone. */
async function productsOfOneKey(act: Act, account: ModelAccount): Promise<Permit> {
  const body = { ...texts, images: [act.world.host.engine.imageUrl] };
  const request = { account, operationId: 'createStudioProduct', key: 'twice', body } as const;
  const name = nameOf(request);
  if (name === undefined || act.model.seen.studio.responses.has(name)) return {};
  const ids = await idsOf(act, account, [request, request]);
  ensure(new Set(ids).size <= 1, 'a key makes one resource', ids);
  const births = { kind: 'products', accountId: account.accountId, exactly: Math.min(1, ids.length) } as const;
  return { studio: { births, named: ids } };
}

export interface TogetherArgs {
  readonly account: number;
  readonly what: 'avatars of one origin' | 'products of one file' | 'products of one key';
  readonly times: number;
  readonly file: number;
}

/** Without faults: a request that waits for a crashed one would wait forever, because the clock is stopped. */
export const together = (args: TogetherArgs): Command =>
  command({
    name: 'together',
    args,
    faults: [],
    needsTask: false,
    async run(act): Promise<Permit> {
      const account = accountAt(act, args.account);
      if (args.what === 'avatars of one origin') return avatarsOfOneOrigin(act, account, args.times);
      if (args.what === 'products of one file') return productsOfOneFile(act, account, args.times, args.file);
      return productsOfOneKey(act, account);
    },
  });
