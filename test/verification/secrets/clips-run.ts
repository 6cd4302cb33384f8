/**
 * A task that cuts a video, with a provider that quotes its input in every response. The transcript cannot be ranked,
 * the clips fail, and the copy of the video remains.
 */
import { settingVariables } from '../../../shared/platform/settings.ts';
import { eventually } from '../../support/eventually.ts';
import { numberedVideo } from '../../support/numbered-video.ts';
import { rangedHost } from '../../support/ranged-host.ts';
import { ended, taskIdIn } from './tasks-of-every-kind.ts';
import type { World } from './world.ts';

export async function runClips(world: World): Promise<void> {
  const { lines, service, words } = world;
  const { token } = await world.account(1000, 'pro');
  const files = await rangedHost({ 'video.mp4': await numberedVideo('10', 2) });
  const providerKey = { [settingVariables.falKey]: words.providerKey };
  world.goBy({ [settingVariables.engines]: 'fal', ...providerKey });
  // Every deletion fails: the service deletes nothing in the storage but the copy of the video.
  lines.storage.fail('cut', /^DELETE /);
  const body = {
    videoUrl: `${files.url}/video.mp4?key=${words.imageAddress}`,
    callbackUrl: `${lines.receiver.url}/${words.callbackAddress}`,
    note: words.unknownMember,
  };
  const response = await world.call('generateCortes', { token, body });
  if (response.status !== 202) throw new Error(`a video was rejected with ${response.status}: ${response.body}`);
  await ended(world, taskIdIn(response.body));
  const isTold = () => (service.output.stderr.includes('copied video not deleted') ? true : undefined);
  await eventually('a copy that is not deleted', isTold);
  lines.storage.mend();
  world.goBy({});
  await files.close();
}
