/** The catalog: its defaults, the values that operators store instead, and the values that are ignored. */
import { beforeEach, describe, expect, test } from 'vitest';
import { EngineChoice } from '../../../shared/catalog/engine-choice.ts';
import { choicesOf } from '../../../shared/catalog/engines.ts';
import { defaultPlans } from '../../../shared/catalog/plans.ts';
import { defaultPrices } from '../../../shared/catalog/prices.ts';
import { defaultStudio } from '../../../shared/catalog/studio.ts';
import { defaultVoiceIds } from '../../../shared/catalog/voices.ts';
import { longestTimeLimitSeconds, offersLimit, planLinesLimit } from '../../../shared/contracts/limits.ts';
import { type CatalogMember, catalogRowNames } from '../../../shared/domain/catalog/catalog-row.ts';
import { catalogRows } from '../../../shared/domain/catalog/catalog-rows.ts';
import { catalogStore } from '../../../shared/domain/catalog/catalog-store.ts';
import { couponsRow } from '../../../shared/domain/catalog/coupons-row.ts';
import { packsRow } from '../../../shared/domain/catalog/packs-row.ts';
import { plansRow } from '../../../shared/domain/catalog/plans-row.ts';
import { pricesRow } from '../../../shared/domain/catalog/prices-row.ts';
import { routesRow } from '../../../shared/domain/catalog/routes-row.ts';
import { studioRow } from '../../../shared/domain/catalog/studio-row.ts';
import { switchesRow } from '../../../shared/domain/catalog/switches-row.ts';
import { voicesRow } from '../../../shared/domain/catalog/voices-row.ts';
import { catalogKey } from '../../../shared/domain/keys.ts';
import { tableInTests } from '../../support/test-table.ts';

const shared = await tableInTests();

/** A catalog with an empty cache, for a service with these engines. */
const catalog = (...engineNames: string[]) => catalogStore(shared.table, { now: () => 0 }, () => engineNames);

const enginesOf = async (...engineNames: string[]) => {
  const { image } = await catalog(...engineNames).read(routesRow);
  return image.routes.map((id) => id.split('/')[0]);
};

beforeEach(async () => {
  for (const row of catalogRowNames) await shared.table.put({ Item: catalogKey(row) });
});

describe('a catalog without stored rows', () => {
  test('uses the defaults', async () => {
    const { creditPacks, ...plans } = defaultPlans;
    const store = catalog('offline');
    expect(await store.read(plansRow)).toEqual(plans);
    expect(await store.read(packsRow)).toEqual(creditPacks);
    expect(await store.read(couponsRow)).toEqual([]);
    expect(await store.read(pricesRow)).toEqual(defaultPrices);
    expect(await store.read(studioRow)).toEqual(defaultStudio);
    expect(await store.read(routesRow)).toEqual(choicesOf(['offline']));
    expect(await store.read(voicesRow)).toEqual(defaultVoiceIds);
    expect(await store.read(switchesRow)).toEqual(new Set());
  });

  test('sends tasks to the service’s engines in their configured order', async () => {
    expect(await enginesOf('offline', 'fal')).toEqual(['offline', 'fal', 'fal']);
    expect(await enginesOf('bedrock', 'offline')).toEqual(['bedrock', 'offline']);
  });

  test('has only defaults that are valid for their own schema', () => {
    for (const { members } of Object.values(catalogRows)) {
      for (const [name, { schema, byDefault }] of Object.entries(members(() => ['offline', 'fal', 'bedrock']))) {
        expect({ name, error: schema().safeParse(byDefault).error }).toEqual({ name, error: undefined });
      }
    }
  });
});

describe('stored fields of the catalog', () => {
  test('replace their defaults and leave the others', async () => {
    await catalog('offline').change('prices', { voice: { charactersPerCredit: 10 } });
    expect(await catalog('offline').read(pricesRow)).toEqual({ ...defaultPrices, voice: { charactersPerCredit: 10 } });
    await catalog('offline').change('prices', { voice: undefined, image: { creditsPerImage: 9 } });
    expect(await catalog('offline').read(pricesRow)).toEqual({ ...defaultPrices, image: { creditsPerImage: 9 } });
  });

  test('for plans leave the credit packs unchanged, and vice versa', async () => {
    const { creditPacks, ...plans } = defaultPlans;
    const [pack] = creditPacks;
    await catalog('offline').change('packs', { creditPacks: [pack] });
    await catalog('offline').change('plans', { annualBadge: '' });
    expect(await catalog('offline').read(plansRow)).toEqual({ ...plans, annualBadge: '' });
    expect(await catalog('offline').read(packsRow)).toEqual([pack]);
  });

  test('that turn operations off can be replaced as a whole or changed for a single operation', async () => {
    const store = catalog('offline');
    await store.change('switches', { off: ['generateImage', 'editImage'] });
    await store.switchOperation('generateImage', true);
    await store.switchOperation('generateVoice', false);
    expect(await catalog('offline').read(switchesRow)).toEqual(new Set(['editImage', 'generateVoice']));
    await store.change('switches', { off: [] });
    expect(await catalog('offline').read(switchesRow)).toEqual(new Set());
  });

  test('are read without routes to engines that the service does not have', async () => {
    const choice = { ...choicesOf(['fal', 'offline']).image, timeLimitSeconds: 60 };
    await catalog('offline').change('routes', { image: choice });
    expect(await enginesOf('fal', 'offline')).toEqual(['fal', 'fal', 'offline']);
    expect(await enginesOf('offline')).toEqual(['offline']);
    expect(await enginesOf('bedrock')).toEqual([]);
    expect((await catalog('offline').read(routesRow)).image.timeLimitSeconds).toBe(60);
  });

  test('are read without routes that this release does not know and routes of other task types', async () => {
    await catalog('offline').change('routes', { image: { routes: ['fal/retired', 'offline/voice', 'offline/image'] } });
    expect((await catalog('offline', 'fal').read(routesRow)).image).toEqual({ routes: ['offline/image'] });
  });
});

describe('an invalid stored field of the catalog', () => {
  test.each([
    ['prices', 'voice', { charactersPerCredit: 'ten' }],
    ['prices', 'voice', {}],
    ['prices', 'voice', { charactersPerCredit: 0 }],
    ['prices', 'poem', { credits: 1 }],
    ['plans', 'plans', [{ id: 'pro' }]],
    ['plans', 'plans', 'all'],
    ['packs', 'creditPacks', [defaultPlans.creditPacks[0], defaultPlans.creditPacks[0]]],
    ['studio', 'modes', []],
    ['studio', 'modes', [defaultStudio.modes[0], defaultStudio.modes[0]]],
    ['studio', 'hooks', [{ ...defaultStudio.hooks[0], id: 'Pergunta' }]],
    ['studio', 'settings', [{ id: 'casa', name: 'Casa', description: 'Uma casa.' }]],
    ['switches', 'off', 'generateVoice'],
    ['routes', 'voice', { routes: [] }],
    ['routes', 'voice', 'offline'],
    ['voices', 'sarah', '../v1/user'],
  ] as const)('is ignored and reported: %s.%s = %j', async (row, member, value) => {
    const byDefault = await catalog('offline').read(catalogRows[row]);
    await shared.table.put({ Item: { ...catalogKey(row), [member]: value } });
    const store = catalog('offline');
    expect(await store.read(catalogRows[row])).toEqual(byDefault);
    expect(await store.show(catalogRows[row])).toMatchObject({ stored: [], ignored: [member] });
  });

  test('does not invalidate the other fields of its row', async () => {
    const item = { ...catalogKey('prices'), image: { creditsPerImage: -1 }, voice: { charactersPerCredit: 25 } };
    await shared.table.put({ Item: item });
    expect(await catalog('offline').read(pricesRow)).toEqual({ ...defaultPrices, voice: { charactersPerCredit: 25 } });
  });
});

test('the catalog rejects a time limit for tasks that is longer than any operation allows', () => {
  const accepts = (timeLimitSeconds: number) =>
    EngineChoice().safeParse({ ...choicesOf(['offline']).image, timeLimitSeconds }).success;
  expect(accepts(longestTimeLimitSeconds)).toBe(true);
  expect(accepts(longestTimeLimitSeconds + 1)).toBe(false);
});

test('the catalog accepts exactly as many plans, bullet points and packs as the response with the plans may contain', () => {
  const [plans, packs] = [plansRow.members(() => []), packsRow.members(() => [])];
  const { creditPacks, plans: onSale } = defaultPlans;
  const many = (entry: object | undefined, count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...entry, id: `${index}` }));
  const lines = (count: number) => [{ ...onSale[0], lines: Array.from({ length: count }, () => 'Images') }];
  const accepts = (member: CatalogMember | undefined, value: unknown) => member?.schema().safeParse(value).success;
  const accepted = (beyond: number) => ({
    plans: accepts(plans.plans, many(onSale[0], offersLimit + beyond)),
    lines: accepts(plans.plans, lines(planLinesLimit + beyond)),
    packs: accepts(packs.creditPacks, many(creditPacks[0], offersLimit + beyond)),
  });
  expect(accepted(0)).toEqual({ plans: true, lines: true, packs: true });
  expect(accepted(1)).toEqual({ plans: false, lines: false, packs: false });
});
