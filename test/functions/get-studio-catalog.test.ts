/** The Studio's catalog as clients read it. */
import { expect, test } from 'vitest';
import { defaultStudio } from '../../shared/catalog/studio.ts';
import { serviceInTests } from '../support/test-service.ts';

interface Entry {
  readonly name: string;
  readonly description: string;
}

interface StudioCatalog {
  readonly modes: readonly (Entry & {
    readonly slug: string;
    readonly costsByResolution: Readonly<Record<string, number>>;
    readonly speechPolicy: string;
    readonly avatarPolicy: string;
  })[];
  readonly hooks: readonly (Entry & { readonly id: string })[];
  readonly settings: readonly (Entry & { readonly id: string })[];
}

const host = await serviceInTests();
const { token } = await host.account();

const read = async (): Promise<StudioCatalog> => {
  const { status, body } = await host.call('getStudioCatalog', { token });
  expect(status).toBe(200);
  return body.data as StudioCatalog;
};

test('the Studio catalog shows eight modes, ten hooks and ten settings with unique names, even without a plan', async () => {
  const { modes, hooks, settings } = await read();
  expect([modes.length, hooks.length, settings.length]).toEqual([8, 10, 10]);
  for (const entries of [modes, hooks, settings]) {
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
  }
  expect(new Set([...hooks, ...settings].map(({ id }) => id)).size).toBe(20);
});

test('the Studio modes include every combination of whether speech and an avatar are forbidden, optional or required', async () => {
  const { modes } = await read();
  const found = new Set(modes.map(({ speechPolicy, avatarPolicy }) => `${speechPolicy} ${avatarPolicy}`));
  expect([...found].toSorted()).toEqual([
    'forbidden forbidden',
    'forbidden optional',
    'forbidden required',
    'optional forbidden',
    'optional optional',
    'optional required',
  ]);
});

test('720p costs more than 480p in every Studio mode', async () => {
  for (const { slug, costsByResolution } of (await read()).modes) {
    expect([slug, Object.keys(costsByResolution)]).toEqual([slug, ['480p', '720p']]);
    expect(costsByResolution['720p']).toBeGreaterThan(costsByResolution['480p'] ?? Number.NaN);
  }
});

test('the Studio catalog does not publish the texts that are written for engines', async () => {
  expect(JSON.stringify(await read())).not.toMatch(/direction|title/);
});

test('an operator’s new Studio modes appear within 30 seconds, and the catalog is readable while Studio videos are off', async () => {
  const { catalog } = host.service.context;
  const [mode] = defaultStudio.modes;
  await catalog.change('studio', { modes: [{ ...mode, costsByResolution: { '480p': 7, '720p': 8 } }] });
  await catalog.switchOperation('generateStudioVideo', false);
  host.clock.advance(30_000);
  const { modes, hooks } = await read();
  expect(modes).toEqual([
    {
      slug: 'depoimento',
      name: 'Depoimento',
      description: expect.stringContaining('Uma pessoa olha para a câmera'),
      costsByResolution: { '480p': 7, '720p': 8 },
      speechPolicy: 'optional',
      avatarPolicy: 'required',
    },
  ]);
  expect(hooks).toHaveLength(10);
});
