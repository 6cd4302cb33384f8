/** The operations on files and the Studio's resources that can run concurrently on one account. */
import * as fc from 'fast-check';
import { fileKey } from '../../../shared/domain/keys.ts';
import { TransactionCanceled } from '../../../shared/platform/dynamo-table.ts';
import { uploaded } from '../model/uploads.ts';
import { type OperationResult, operation } from './operations.ts';
import { type Scene, type StudioOrder, studioRequest } from './scene.ts';
import type { StagedFile } from './staged-files.ts';

function fileAt({ files }: Scene, index: number): StagedFile {
  const file = files[index % files.length];
  if (!file) throw new Error('there is no file');
  return file;
}

const create = async (scene: Scene, order: StudioOrder): Promise<OperationResult> => ({
  kind: 'studio',
  order,
  response: await studioRequest(scene, order),
});

const productOf = (scene: Scene, file: number) => ({
  title: 'Caneca',
  description: 'Caneca azul.',
  productFileIds: [fileAt(scene, file).fileId],
});

export const describing = operation('product', fc.record({ file: fc.nat({ max: 1 }) }), ({ file }, scene) =>
  create(scene, { operationId: 'createStudioProduct', body: productOf(scene, file) }),
);

const origin = { sourceInfluencerId: 'origin' };

const portrait = fc.record({ file: fc.boolean(), name: fc.constantFrom('Ana', 'Bia', 'Eva') });

export const portraying = operation('avatar', portrait, ({ file, name }, scene) => {
  const image = file ? { avatarFileId: fileAt(scene, 0).fileId } : { imageUrl: scene.world.host.engine.imageUrl };
  return create(scene, { operationId: 'createStudioAvatar', body: { name, ...origin, ...image } });
});

/** The same request with the same key. */
export const repeatingProduct = operation('product again', fc.constant({}), (_args, scene) =>
  create(scene, { operationId: 'createStudioProduct', key: 'k1', body: productOf(scene, 0) }),
);

export const repeatingAvatar = operation('avatar again', fc.constant({}), (_args, scene) => {
  const body = { name: 'Ana', ...origin, imageUrl: scene.world.host.engine.imageUrl };
  return create(scene, { operationId: 'createStudioAvatar', key: 'k1', body });
});

/** Another image takes the place of a file that was uploaded. */
export const uploadingAgain = operation(
  'upload again',
  fc.record({ file: fc.nat({ max: 1 }) }),
  async (args, scene) => {
    const { form } = fileAt(scene, args.file);
    await scene.gates.pass('upload', () => uploaded(form, 'another image'));
    return { kind: 'other' };
  },
);

const weekMs = 7 * 24 * 3_600_000;

/** A week goes by, after which the table removes the files that nothing uses. */
export const expiring = operation('expire', fc.constant({}), async (_args, { accountId, files, gates, world }) => {
  const { clock, context } = world;
  await gates.pass('a week goes by', async () => clock.advance(weekMs));
  for (const { fileId } of files) {
    const removal = {
      Key: fileKey(accountId, fileId),
      ConditionExpression: 'expiresAt <= :now',
      ExpressionAttributeValues: { ':now': clock.now() / 1000 },
    };
    await context.table.transact([{ Delete: removal }]).catch((error: unknown) => {
      if (!(error instanceof TransactionCanceled)) throw error;
    });
  }
  return { kind: 'expire' };
});
