/** The environment of a service that uses a fake of ElevenLabs. */
import type { ElevenLabsFake } from '../../fakes/elevenlabs/elevenlabs-fake.ts';
import { settingVariables } from '../../shared/platform/settings.ts';

export const elevenLabsKey = 'secret-of-the-provider';

export const elevenLabsEnvironment = ({ url }: ElevenLabsFake): Readonly<Record<string, string>> => ({
  [settingVariables.engines]: 'elevenlabs',
  [settingVariables.elevenLabsUrl]: url,
  [settingVariables.elevenLabsKey]: elevenLabsKey,
});
