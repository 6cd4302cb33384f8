/** Which keys of providers a function may read, and where it finds them. */
import { Stack } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { ProviderKeys } from '../../../infra/aws/secrets.ts';
import { readStages } from '../../../infra/aws/stages.ts';
import { stagesWith, textOf } from './synthesized.ts';

const keysOf = (settings: object) => {
  const [stage] = readStages({ stage: 'dev', stages: stagesWith('dev', settings) });
  if (!stage) throw new Error('no stage');
  const keys = new ProviderKeys(new Stack(), 'Keys', stage);
  const allowed = (of: 'engines' | 'youtube') => {
    const { statements = [], settings: known = {} } = keys.allow(of);
    const resources = statements.flatMap((one) => new Stack().resolve(one.toStatementJson()).Resource as unknown[]);
    return { secrets: resources.flat().map((one) => textOf(one).split(':').at(-1)), settings: Object.keys(known) };
  };
  return { keys, allowed };
};

test('the key of YouTube is for other functions than those of the engines', () => {
  const { keys, allowed } = keysOf({ engines: { fal: {}, elevenlabs: { secretName: 'sounds' } }, youtube: {} });
  expect(allowed('engines')).toEqual({
    secrets: ['generation-service/dev/engines/fal-??????', 'sounds-??????'],
    settings: ['falKey', 'elevenLabsKey'],
  });
  expect(allowed('youtube')).toEqual({
    secrets: ['generation-service/dev/youtube-??????'],
    settings: ['youtubeKey'],
  });
  expect(Object.keys(keys.outputs)).toEqual(['FalEngineSecret', 'ElevenlabsEngineSecret', 'YoutubeSecret']);
});

test('a stage without a provider grants nothing for it', () => {
  const { keys } = keysOf({ engines: { bedrock: { region: 'us-west-2' } } });
  expect([keys.allow('engines'), keys.allow('youtube'), keys.settings]).toEqual([{}, {}, {}]);
});
