/** Guarantees after concurrent operations on files and the Studio's resources. */

import type { StudioImage } from '../../../shared/domain/studio/studio-image.ts';
import { ensure } from '../oracle/ensure.ts';
import type { OperationResult } from './operations.ts';
import type { Course } from './serializability.ts';

type Creation = Extract<OperationResult, { kind: 'studio' }>;

const isMade = ({ response }: Creation): boolean => response.code === '200';

/** What a request may be rejected with, given what else went on. */
function ensureCodes(creations: readonly Creation[], operationResults: readonly OperationResult[]): void {
  const mayLoseFile = operationResults.some(({ kind }) => kind === 'expire' || kind === 'other');
  for (const { order, response } of creations) {
    const rivals = creations.filter((other) => other.order.key === order.key && order.key !== undefined);
    const codes = [
      '200',
      ...(mayLoseFile ? ['VALIDATION_ERROR'] : []),
      ...(rivals.length > 1 ? ['IDEMPOTENCY_CONFLICT'] : []),
    ];
    ensure(codes.includes(response.code), 'a response is one of the permitted ones', { order, response, codes });
  }
}

/** Each response that is no repeat is about a product of its own. */
function ensureProducts({ before, after }: Course, creations: readonly Creation[]): void {
  const made = creations.filter(
    (creation) =>
      creation.order.operationId === 'createStudioProduct' && isMade(creation) && !creation.response.isReplay,
  );
  const ids = made.map(({ response }) => response.id).toSorted();
  const born = [...after.studio.products.keys()].filter((id) => !before.studio.products.has(id)).toSorted();
  ensure(ids.join() === born.join(), 'each product is somebody’s, and nobody’s twice', { ids, born });
}

interface AvatarBody {
  readonly name: string;
  readonly imageUrl?: string;
  readonly avatarFileId?: string;
}

const shows = (image: StudioImage, { imageUrl, avatarFileId }: AvatarBody): boolean =>
  'url' in image ? image.url === imageUrl : image.key.includes(String(avatarFileId));

/** All have one origin: they are one avatar, as one of the requests has it. */
function ensureAvatars({ after }: Course, creations: readonly Creation[]): void {
  const made = creations.filter((creation) => creation.order.operationId === 'createStudioAvatar' && isMade(creation));
  if (made.length === 0) return;
  const { avatars } = after.studio;
  const ids = [...new Set(made.map(({ response }) => response.id))];
  ensure(ids.length === 1 && avatars.size === 1, 'an origin always gives the same avatar', {
    ids,
    avatars: [...avatars],
  });
  const row = avatars.get(ids[0] ?? '')?.row;
  const isWhole = made.some(({ order }) => {
    const body = order.body as AvatarBody;
    return row?.name === body.name && shows(row.image as StudioImage, body);
  });
  ensure(isWhole, 'an avatar is what one request made it, and no mixture', { row, made });
}

/** Unless it expired meanwhile, a key has one response. */
function ensureKeys({ operationResults }: Course, creations: readonly Creation[]): void {
  if (operationResults.some(({ kind }) => kind === 'expire')) return;
  const keyed = creations.filter((creation) => creation.order.key !== undefined && isMade(creation));
  for (const some of Map.groupBy(keyed, ({ order }) => `${order.operationId} ${order.key}`).values())
    ensure(new Set(some.map(({ response }) => response.text)).size === 1, 'one key has one response', some);
}

export function ensureStudio(course: Course): void {
  const creations = course.operationResults.flatMap((one) => (one.kind === 'studio' ? [one] : []));
  ensureCodes(creations, course.operationResults);
  ensureProducts(course, creations);
  ensureAvatars(course, creations);
  ensureKeys(course, creations);
}
