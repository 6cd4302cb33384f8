/** What must hold of files and of the Studio's resources at every moment, and between any two moments. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual as same } from 'node:util';
import { unusedUntil } from '../../../shared/domain/files/file.ts';
import type { StudioImage } from '../../../shared/domain/studio/studio-image.ts';
import { ensure } from './ensure.ts';
import { type OwnedRow, ownedName, type SeenResponse, type StudioSnapshot } from './studio-snapshot.ts';

/** The name of an origin in a snapshot. */
export const originName = (accountId: string, origin: string): string =>
  ownedName(accountId, createHash('sha256').update(origin).digest('base64url'));

/** What is used is kept, and only for the account that uploaded it. */
function images({ files, products, avatars }: StudioSnapshot): void {
  const kept = new Map([...files.values()].map(({ accountId, row }) => [ownedName(accountId, String(row.key)), row]));
  const imagesOf = ({ row }: OwnedRow) => (row.images ?? [row.image]) as readonly StudioImage[];
  for (const resource of [...products.values(), ...avatars.values()]) {
    for (const image of imagesOf(resource)) {
      const isKept = 'url' in image || kept.has(ownedName(resource.accountId, image.key));
      ensure(isKept, 'the file of an image is kept for its account', { resource, image });
    }
  }
  for (const { row } of files.values()) {
    ensure(typeof row.createdAt === 'number', 'a file is stored completely', row);
    const expiry = row.key === undefined ? Math.ceil(unusedUntil(Number(row.createdAt)) / 1000) : undefined;
    ensure(row.expiresAt === expiry, 'a file expires after seven days if nothing uses it, and else never', row);
  }
}

const idIn = (body: string): string => (JSON.parse(body) as { data: { id: string } }).data.id;

/** Each resource is stored completely, or not at all. */
export function checkStudioMoment(snapshot: StudioSnapshot): void {
  const { products, avatars, listed, origins, responses } = snapshot;
  images(snapshot);
  const stored = [...products].map(([id, { accountId }]) => ownedName(accountId, id));
  ensure(same(listed.toSorted(), stored.toSorted()), 'an account lists its products, and nothing else', listed);
  for (const [avatarId, { accountId, row }] of avatars) {
    const origin = row.sourceInfluencerId as string | undefined;
    const standing = origin === undefined ? avatarId : origins.get(originName(accountId, origin));
    ensure(standing === avatarId, 'an origin has one avatar', { avatarId, row, standing });
  }
  const resources = { createStudioProduct: products, createStudioAvatar: avatars };
  for (const response of responses.values()) {
    const rows = resources[response.operationId as keyof typeof resources];
    if (!rows || response.body === undefined) continue;
    const named = rows.get(idIn(response.body));
    ensure(named?.accountId === response.accountId, 'a stored response names a resource of its account', response);
  }
}

/** All of a row but what may change. */
function constantOf(kind: 'files' | 'products' | 'avatars', { accountId, row }: OwnedRow): object {
  const { key: _key, expiresAt: _expiry, createdAt, sourceInfluencerId, ...others } = row;
  if (kind === 'products') return { accountId, row };
  return kind === 'files' ? { accountId, createdAt, ...others } : { accountId, createdAt, sourceInfluencerId };
}

function keptResponse(was: SeenResponse, is: SeenResponse | undefined, now: number): void {
  const mayChange = was.body === undefined || was.validUntil <= now;
  ensure(mayChange || was.body === is?.body, 'a key keeps its first response until it expires', { was, is, now });
}

/** What never changes again, or never vanishes. Only a file that nothing uses does. */
export function checkStudioHistory(before: StudioSnapshot, after: StudioSnapshot, now: number): void {
  for (const kind of ['files', 'products', 'avatars'] as const) {
    for (const [id, was] of before[kind]) {
      const is = after[kind].get(id);
      const mayVanish = kind === 'files' && was.row.key === undefined;
      ensure(is !== undefined || mayVanish, 'nothing that is used vanishes', { kind, id, was });
      if (!is) continue;
      ensure(same(constantOf(kind, was), constantOf(kind, is)), 'a resource stays what it is', { kind, was, is });
      if (kind === 'files' && was.row.key !== undefined)
        ensure(was.row.key === is.row.key, 'the image of a file that is used never changes', { was, is });
    }
  }
  for (const [name, avatarId] of before.origins)
    ensure(after.origins.get(name) === avatarId, 'an origin keeps its avatar', { name, avatarId });
  for (const [name, was] of before.responses) keptResponse(was, after.responses.get(name), now);
}
