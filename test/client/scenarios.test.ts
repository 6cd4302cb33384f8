/** The client, packed and installed, against the scenarios that all clients of the API must pass. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type InstalledClient, installClient } from './installed-client.ts';
import { playScenario } from './play-scenario.ts';
import { scenarios } from './scenario.ts';

let installed: InstalledClient;
beforeAll(async () => {
  installed = await installClient();
});
afterAll(() => installed.remove());

describe('in a scenario that the tests of all clients share,', () => {
  test.for(scenarios.map((scenario) => [scenario.title, scenario] as const))('%s', async ([, scenario]) => {
    await playScenario(installed, scenario);
  });
});
