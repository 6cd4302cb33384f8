import { afterAll, afterEach, expect, it } from 'vitest';
import { defaultPlans } from '../../../shared/catalog/plans.ts';
import { defaultPrices } from '../../../shared/catalog/prices.ts';
import { catalogRowNames } from '../../../shared/domain/catalog/catalog-row.ts';
import { pricesRow } from '../../../shared/domain/catalog/prices-row.ts';
import { routesRow } from '../../../shared/domain/catalog/routes-row.ts';
import { startOperatedService } from './operated-service.ts';

const service = await startOperatedService({ fake: 'fal-fake' });
afterAll(() => service.close());
afterEach(() => service.done('catalog', 'reset', 'prices'));

const set = (row: string, members: unknown) => service.admin(['catalog', 'set', row], JSON.stringify(members));

it.each(catalogRowNames)('`catalog show` prints %s as JSON that `catalog set` accepts unchanged', async (row) => {
  const { stdout } = await service.admin(['catalog', 'show', row]);
  const { exitCode, stderr } = await service.admin(['catalog', 'set', row], stdout);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse((await service.admin(['catalog', 'show', row])).stdout)).toEqual(JSON.parse(stdout));
});

it('the catalog command changes a price within 30 seconds, and restores the default price just as quickly', async () => {
  expect((await set('prices', { voice: { charactersPerCredit: 7 } })).exitCode).toBe(0);
  service.advance(30_000);
  expect((await service.context.catalog.read(pricesRow)).voice).toEqual({ charactersPerCredit: 7 });
  expect(await service.done('catalog', 'reset', 'prices', '--member', 'voice')).toMatchObject({ reset: ['voice'] });
  service.advance(30_000);
  expect(await service.context.catalog.read(pricesRow)).toEqual(defaultPrices);
});

it('`catalog show` lists which prices an operator has set', async () => {
  await set('prices', { image: { creditsPerImage: 5 } });
  expect(await service.done('catalog', 'show', 'prices')).toMatchObject({ stored: ['image'], ignored: [] });
});

const [pack] = defaultPlans.creditPacks;
const coupon = { code: 'WELCOME', percentOff: 20, duration: 'once' };

it.each([
  ['an unknown member', 'prices', { poem: { credits: 1 } }, 'poem: is not a field of prices; its fields are image, '],
  ['an incomplete price', 'prices', { voice: {} }, 'voice.charactersPerCredit: is required'],
  ['a price of zero', 'prices', { voice: { charactersPerCredit: 0 } }, 'voice.charactersPerCredit: must be at least 1'],
  [
    'a misspelled member',
    'prices',
    { voice: { charactersPerCredits: 5 } },
    'voice: has unknown fields: charactersPerCredits',
  ],
  ['two packs with one id', 'packs', { creditPacks: [pack, pack] }, 'creditPacks: ids must be unique'],
  [
    'an unknown feature',
    'plans',
    { plans: [{ ...defaultPlans.plans[0], features: ['gold'] }] },
    'plans.0.features.0: must be one of cortes, studio, piloto',
  ],
  [
    'too high a percentage',
    'coupons',
    { coupons: [{ ...coupon, percentOff: 120 }] },
    'percentOff: must be at most 100.',
  ],
  ['a price as text', 'packs', { creditPacks: [{ ...pack, priceCents: '1490' }] }, 'priceCents: must be a number'],
  ['a day without a time', 'coupons', { coupons: [{ ...coupon, expiresAt: '2027-01-01' }] }, 'must be a time in UTC, '],
  ['a coupon without a code', 'coupons', { coupons: [{ ...coupon, code: undefined }] }, 'coupons.0.code: is required.'],
  ['packs as an object', 'packs', { creditPacks: {} }, 'creditPacks: must be a list'],
  ['an unknown operation', 'switches', { off: ['generatePoem'] }, 'off: there is no operation generatePoem.'],
  ['an empty list of routes', 'routes', { image: { routes: [] } }, 'image.routes: must have at least 1 entry'],
  ['an id that cannot be a voice id', 'voices', { sarah: '../x' }, 'sarah: must be a voice id'],
  ['a value that is not an object', 'prices', [], 'Standard input must be a JSON object with at least one member.'],
])('the catalog command rejects %s and changes nothing', async (_, row, members, sentence) => {
  const before = (await service.admin(['catalog', 'show', row])).stdout;
  const { exitCode, stdout, stderr } = await set(row, members);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toContain(sentence);
  expect(stderr.trimEnd()).not.toContain('\\u000a');
  expect((await service.admin(['catalog', 'show', row])).stdout).toBe(before);
});

it.each([
  [
    'a route of an engine that the service does not have',
    { image: { routes: ['offline/image', 'bedrock/stable-image-core'] } },
    'This service has no engine bedrock; tasks sent there would fail. It has fal, offline.',
  ],
  [
    'an unknown route',
    { voice: { routes: ['fal/retired'] } },
    'voice.routes: there is no route fal/retired; the routes are offline/voice, fal/elevenlabs-multilingual-v2, elevenlabs/multilingual-v2.',
  ],
  ['the route of test mode', { voice: { routes: ['test'] } }, 'there is no route test'],
  ['a route of another task type', { voice: { routes: ['fal/esrgan'] } }, 'there is no route fal/esrgan'],
])('`catalog set` rejects %s', async (_, members, sentence) => {
  const { exitCode, stderr } = await set('routes', members);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(sentence);
});

it('`catalog set` makes new requests use the new routes, in their order', async () => {
  const image = { routes: ['offline/image', 'fal/flux-pro-v1.1'], timeLimitSeconds: 60 };
  expect((await set('routes', { image })).exitCode).toBe(0);
  service.advance(30_000);
  expect((await service.context.catalog.read(routesRow)).image).toEqual(image);
  await service.done('catalog', 'reset', 'routes');
});

it.each([
  [
    'an unknown row',
    ['show', 'people'],
    'ROW must be one of plans, packs, coupons, prices, studio, switches, routes, voices, voice-previews, engine-prices.',
  ],
  ['an unknown member', ['reset', 'prices', '--member', 'poem'], '--member must be one of image, '],
])('the catalog command rejects %s as an invalid command line', async (_, args, sentence) => {
  const { exitCode, stderr } = await service.admin(['catalog', ...args]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(sentence);
});

it('`catalog set` rejects input that is not JSON', async () => {
  const { exitCode, stderr } = await service.admin(['catalog', 'set', 'prices'], '{');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: 'The members are read from standard input and must be JSON.\n',
  });
});
