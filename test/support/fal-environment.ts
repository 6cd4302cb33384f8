/** The environment of a service that uses a fake of fal.ai. */
import type { FalFake } from '../../fakes/fal/fal-fake.ts';
import { settingVariables } from '../../shared/platform/settings.ts';

/** A key of the form `id:secret`, like those of fal.ai. */
export const falKey = 'local:secret-of-the-provider';

export const falEnvironment = ({ queueUrl, jwksUrl }: FalFake): Readonly<Record<string, string>> => ({
  [settingVariables.engines]: 'fal',
  [settingVariables.falQueueUrl]: queueUrl,
  [settingVariables.falRunUrl]: queueUrl,
  [settingVariables.falJwksUrl]: jwksUrl,
  [settingVariables.falKey]: falKey,
});
