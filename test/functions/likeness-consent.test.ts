/** Requests that use the likeness of a person, on a service that requires a declaration of consent and on one that does not. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OperationId } from '../../shared/contracts/registry.ts';
import { inspectTask } from '../../shared/domain/operator-reads/inspect-task.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import { specification } from '../support/specification-table.ts';
import { giveAvatar } from '../support/studio-cast.ts';
import { type OperationScene, startOperationScene } from './operation-scene.ts';

/** Typed from the specification: the operations with `likenessConsent`. */
const operations = [
  'replaceCharacter',
  'imitateVideo',
  'changeVoice',
  'generateUgcVideo',
  'createStudioAvatar',
  'generateStudioVideo',
] as const satisfies readonly OperationId[];

let scene: OperationScene;
let avatarId: string;
beforeAll(async () => {
  scene = await startOperationScene();
});
beforeEach(async () => {
  await scene.freshAccount();
  const { accountId } = scene.account;
  avatarId = await giveAvatar(scene.host.service.context, {
    accountId,
    image: { url: scene.host.engine.inputUrls.image },
  });
});
afterAll(() => scene.host.close());

const required = { [settingVariables.likenessConsent]: 'required' };

async function send(
  operationId: OperationId,
  given: object,
): Promise<{ status: number; message?: string; taskId?: string }> {
  const right = scene.rightCall(operationId);
  const withAvatar = operationId === 'generateStudioVideo' ? { mode: 'depoimento', avatarId } : {};
  const { status, body } = await scene.host.call(operationId, {
    ...right,
    body: { ...(right.body as object), ...withAvatar, ...given },
  });
  const { taskId } = (body.data ?? {}) as { taskId?: string };
  return { status, ...(body.error && { message: body.error.message }), ...(taskId !== undefined && { taskId }) };
}

describe.for(operations)('the consent to the use of a likeness in a %s request', (operationId) => {
  test('must be declared and true on a stage that requires it, and is stored', async () => {
    await scene.host.withEnvironment(required, async () => {
      for (const given of [{}, { likenessConsent: false }]) {
        const { status, message } = await send(operationId, given);
        expect([status, message]).toEqual([400, expect.stringMatching(/^likenessConsent must be true: /)]);
      }
      const accepted = await send(operationId, { likenessConsent: true });
      expect([accepted.status, accepted.message]).toEqual([specification[operationId].success, undefined]);
      // What pages for operators show.
      if (accepted.taskId !== undefined) {
        const shown = await inspectTask(scene.host.service.context, accepted.taskId);
        expect(shown?.task.input).toMatchObject({ likenessConsent: true });
      }
    });
  });

  test('may be declared false on other stages, and is stored', async () => {
    const { status, taskId } = await send(operationId, { likenessConsent: false });
    expect(status).toBe(specification[operationId].success);
    const { tasks } = scene.host.service.context;
    if (taskId !== undefined) expect((await tasks.find(taskId))?.input).toMatchObject({ likenessConsent: false });
  });
});

test('a Studio video without an avatar needs no consent even where the stage requires it', async () => {
  await scene.host.withEnvironment(required, async () => {
    const { status } = await scene.host.call('generateStudioVideo', scene.rightCall('generateStudioVideo'));
    expect(status).toBe(202);
  });
});
