import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { demoOptions } from '../../../infra/demo/demo-options.ts';

it('without options, the demo shows speech and saves it in demo-output', () => {
  expect(demoOptions([], {})).toMatchObject({ show: 'speech', outDir: resolve('demo-output') });
});

it.each([
  ['images', 'after the two dashes that npm requires', ['--images'], {}],
  ['images', 'without the two dashes, where npm treats it as its own option', [], { npm_config_images: 'true' }],
  ['videos', 'after the two dashes that npm requires', ['--videos'], {}],
  ['videos', 'without the two dashes, where npm treats it as its own option', [], { npm_config_videos: 'true' }],
  ['all', 'after the two dashes that npm requires', ['--all'], {}],
  ['all', 'without the two dashes, where npm treats it as its own option', [], { npm_config_all: 'true' }],
])('the demo shows %s if the option with that name is given %s', (show, _, args, environment) => {
  expect(demoOptions(args, environment).show).toBe(show);
});

it.each([[['--photos']], [['--images=yes']], [['--out']], [['images']]])(
  'the demo rejects %j with a message',
  (args) => {
    expect(() => demoOptions(args, {})).toThrow(/^The demo takes two options, .*: npm run demo -- --images --out DIR$/);
  },
);

it('the demo rejects an invalid setting with a message', () => {
  expect(() => demoOptions([], { OFFLINE_ENGINE_FAILURE: 'never' })).toThrow(/^OFFLINE_ENGINE_FAILURE must be/);
});

it('by default the demo makes each task long enough to watch, and the environment can set another duration', () => {
  expect(demoOptions([], {}).engine.latencyMs).toBeGreaterThan(0);
  expect(demoOptions(['--images'], { OFFLINE_ENGINE_LATENCY_MS: '0' }).engine.latencyMs).toBe(0);
});
