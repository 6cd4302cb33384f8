/** A service uses only the engines that it was deployed with. */
import { expect, test } from 'vitest';
import { clipEngines as engines } from '../../shared/engines/clip-engines.ts';
import { engineNames } from '../../shared/engines/engine-names.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { listOf, namesIn, settingsOf } from '../../shared/platform/settings.ts';

const known = (named: Record<string, string>): string[] => {
  const environment = { OFFLINE_ENGINE_URL: 'http://127.0.0.1:1', ...named };
  const service = engines({ settings: settingsOf(environment), clock: systemClock });
  return [...engineNames, 'dalle', ''].filter((name) => service.named(name) !== undefined);
};

test('an engine that the deployment does not include is unknown, like one that does not exist', () => {
  expect(known({ ENGINES: 'elevenlabs' })).toEqual(['elevenlabs']);
  expect(known({ ENGINES: 'bedrock,offline' })).toEqual(['offline', 'bedrock']);
  expect(known({ ENGINES: engineNames.join(',') })).toEqual(engineNames);
});

test('the clips workflow is available only with an engine that supports it', () => {
  expect(known({ ENGINES: 'offline,fal' })).toEqual(['offline', 'fal', 'clips']);
  expect(known({ ENGINES: 'aws' })).toEqual(['aws', 'clips']);
});

test('without settings, the offline engine is the only engine', () => {
  expect(known({})).toEqual(['offline']);
});

test('the engines setting of a service can list any number of engines, including none', () => {
  for (const names of [[], ['fal'], ['klap', 'aws']]) expect(namesIn(listOf(names))).toEqual(names);
  // A variable of a Lambda function and an output of a stack have at least one character.
  expect(listOf([])).not.toBe('');
});

test('every service has the engine of test mode, which cannot be listed in a stage’s settings', () => {
  expect(known({ ENGINES: 'none' })).toEqual([]);
  const service = engines({ settings: settingsOf({ ENGINES: 'none' }), clock: systemClock });
  expect(service.named('test')).toBeDefined();
  expect(engineNames).not.toContain('test');
});

test('a service creates each engine only once', () => {
  const service = engines({ settings: settingsOf({ OFFLINE_ENGINE_URL: 'http://127.0.0.1:1' }), clock: systemClock });
  expect(service.named('offline')).toBe(service.named('offline'));
});
