/** Creates an avatar, or replaces the one that has the same source influencer. */
import { studioContracts } from '../../contracts/studio.ts';
import { keeping, openFiles, storeImages, type UsableFile } from '../files/use-files.ts';
import type { Write } from '../idempotency/run-once.ts';
import type { Stores } from '../stores.ts';
import { type Avatar, putAvatar } from './avatar-store.ts';
import { type CreationNeeds, type CreationRequest, createOnce, uploadsIn } from './studio-creation.ts';
import type { StudioImage } from './studio-image.ts';

const contract = studioContracts.createStudioAvatar;

interface AvatarBody extends Pick<Avatar, 'name' | 'gender' | 'type' | 'sourceInfluencerId' | 'likenessConsent'> {
  readonly imageUrl?: string | undefined;
  readonly avatarFileId?: string | undefined;
}

interface Prepared {
  readonly avatar: Avatar;
  readonly writes: readonly Write[];
}

/** The avatar's image. A file takes precedence over a URL, and the contract requires one of them. */
function imageOf(file: UsableFile | undefined, { imageUrl }: AvatarBody): StudioImage {
  if (file) return { key: file.key };
  if (imageUrl === undefined) throw new Error('the request has no image');
  return { url: imageUrl };
}

interface Needs extends CreationNeeds {
  readonly avatars: Stores['avatars'];
}

async function prepare(needs: Needs, { accountId, body }: CreationRequest<AvatarBody>): Promise<Prepared> {
  const { avatars, clock, ids } = needs;
  const { avatarFileId, name, gender, type, sourceInfluencerId, likenessConsent } = body;
  const createdAt = clock.now();
  const named =
    avatarFileId === undefined
      ? uploadsIn(contract.body, body, needs.settings)
      : [{ path: 'avatarFileId', fileId: avatarFileId }];
  const files = await openFiles(needs, accountId, named, createdAt);
  await storeImages(needs, accountId, files);
  const newId = ids.next();
  // The avatar's id is reserved before the avatar is created, so that concurrent requests get the same id.
  const avatarId =
    sourceInfluencerId === undefined ? newId : await avatars.reserve(accountId, sourceInfluencerId, newId);
  const image = imageOf(files[0], body);
  const avatar = { accountId, avatarId, name, image, gender, type, sourceInfluencerId, likenessConsent, createdAt };
  return { avatar, writes: [{ action: putAvatar(avatar) }, ...keeping(files)] };
}

/**
 * Creates an avatar. @throws {Rejection} switched-off, forbidden, invalid, generation-failed, rate-limited, in-progress,
 * other-body
 */
export const createAvatar = (needs: Needs, request: CreationRequest<AvatarBody>) =>
  createOnce(needs, contract, request, {
    call: () => prepare(needs, request),
    commit: ({ avatar: { avatarId: id, name }, writes }) => ({ writes, data: { id, name } }),
  });
