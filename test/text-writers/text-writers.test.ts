/** Which engine of a service writes its texts. */
import { expect, test } from 'vitest';
import { systemClock } from '../../shared/platform/clock.ts';
import { settingsOf } from '../../shared/platform/settings.ts';
import { templateWriter } from '../../shared/text-writers/template-writer.ts';
import { textWriter } from '../../shared/text-writers/text-writers.ts';

const writes = (ENGINES: string) =>
  textWriter({ settings: settingsOf({ ENGINES }), clock: systemClock }) === templateWriter ? 'templates' : 'a model';

test.for<[string, string]>([
  ['none', 'templates'],
  ['offline', 'templates'],
  ['offline,fal', 'templates'],
  ['elevenlabs', 'templates'],
  ['elevenlabs,offline,fal', 'templates'],
  ['elevenlabs,fal', 'a model'],
  ['fal,offline', 'a model'],
])('with the engines %s, product texts are written by %s', ([engines, expected]) => {
  expect(writes(engines)).toBe(expected);
});
