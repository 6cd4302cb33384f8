/** What a service needs in its environment to generate with a fake of fal.ai. */
import type { FalFake } from '../../fakes/fal/fal-fake.ts';
import { settingVariables } from '../../shared/platform/settings.ts';

/** Of the form `id:secret`, as a key of fal.ai. */
export const falKey = 'local:secret-of-the-provider';

export const falEnvironment = ({ queueUrl, jwksUrl }: FalFake): Readonly<Record<string, string>> => ({
  [settingVariables.engines]: 'fal',
  [settingVariables.falQueueUrl]: queueUrl,
  [settingVariables.falRunUrl]: queueUrl,
  [settingVariables.falJwksUrl]: jwksUrl,
  [settingVariables.falKey]: falKey,
});
