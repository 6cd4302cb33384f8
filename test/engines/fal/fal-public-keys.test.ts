import { afterEach, describe, expect, it } from 'vitest';
import { steppedClock } from '../../support/stepped-clock.ts';
import { adapterTo, closeAll, deadUrl, faultOf, onFake, withResponses } from './fal-subject.ts';
import { done, keyRequests, report, signed, unknown } from './signed-report.ts';

afterEach(closeAll);

describe('the public keys of fal.ai', () => {
  it('are fetched once for many callbacks, and again after a day', async () => {
    const clock = steppedClock();
    const { engine, fake } = await onFake({ clock }, { clock });
    await Promise.all(Array.from({ length: 5 }, () => engine.readCallback(signed(fake), unknown)));
    clock.advance(24 * 3_600_000 - 10_000);
    expect(await engine.readCallback(signed(fake), unknown)).toEqual(done);
    expect(keyRequests(fake)).toBe(1);
    clock.advance(10_000);
    expect(await engine.readCallback(signed(fake), unknown)).toEqual(done);
    expect(keyRequests(fake)).toBe(2);
  });

  it('are fetched again if a callback is signed with a new key, and a key that has been withdrawn is no longer accepted', async () => {
    const clock = steppedClock();
    const { engine, fake } = await onFake({ clock }, { clock });
    const before = signed(fake);
    expect(await engine.readCallback(before, unknown)).toEqual(done);
    clock.advance(60_000);
    fake.signer.rotate({ keepsOld: true });
    expect(await engine.readCallback(signed(fake), unknown)).toEqual(done);
    expect(await engine.readCallback(before, unknown)).toEqual(done);
    clock.advance(60_000);
    fake.signer.rotate({ keepsOld: false });
    expect(await engine.readCallback(signed(fake), unknown)).toEqual(done);
    expect(await engine.readCallback(before, unknown)).toBeUndefined();
    expect(keyRequests(fake)).toBe(3);
  });

  it('are fetched at most once a minute, however many forged callbacks arrive', async () => {
    const clock = steppedClock();
    const { engine, fake } = await onFake({ clock }, { clock });
    for (let minute = 1; minute <= 3; minute += 1) {
      for (let count = 0; count < 20; count += 1) {
        expect(await engine.readCallback(signed(fake, report(), { isForged: true }), unknown)).toBeUndefined();
      }
      expect(keyRequests(fake)).toBe(minute);
      clock.advance(60_000);
    }
  });

  it('make a callback fail with an error if they cannot be fetched, instead of rejecting it, and are soon requested again', async () => {
    const clock = steppedClock();
    const { fake } = await onFake({ clock });
    let reachable = false;
    const { asked, engine } = await withResponses(
      () => (reachable ? { status: 200, body: fake.signer.keySet() } : { status: 503, body: 'no' }),
      { clock },
    );
    expect(await faultOf(engine.readCallback(signed(fake), unknown))).toContain('responded with 503');
    expect(await faultOf(engine.readCallback(signed(fake), unknown))).toContain('not available');
    expect(asked).toHaveLength(1);
    reachable = true;
    clock.advance(5_000);
    expect(await engine.readCallback(signed(fake), unknown)).toEqual(done);
    expect(asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/keys', undefined],
      ['/keys', undefined],
    ]);
  });

  it('are cached for at most a day even if no newer ones can be fetched', async () => {
    const clock = steppedClock();
    const { engine, fake } = await onFake({ clock }, { clock });
    const { requests } = fake;
    expect(await engine.readCallback(signed(fake), unknown)).toEqual(done);
    clock.advance(24 * 3_600_000);
    const late = signed(fake);
    await fake.close();
    expect(await faultOf(engine.readCallback(late, unknown))).toContain('request to fal.ai failed');
    expect(requests.length).toBe(1);
  });

  it('are ignored if they are of another type, and a set without a usable key is an error', async () => {
    const { fake } = await onFake();
    const [key = {}] = fake.signer.keySet().keys;
    const others = [null, 'key', { kty: 'RSA', n: 'x', e: 'AQAB' }, { ...key, crv: 'X25519' }, { ...key, x: 'short' }];
    const unpadded = { ...key, x: key.x?.replace('=', '') };
    const { engine } = await withResponses(() => ({ status: 200, body: { keys: [...others, unpadded] } }));
    expect(await engine.readCallback(signed(fake), unknown)).toEqual(done);
    for (const body of [{ keys: others }, { keys: [] }, {}, 'no JSON', { keys: 'none' }]) {
      const { engine: without } = await withResponses(() => ({ status: 200, body }));
      expect(await faultOf(without.readCallback(signed(fake), unknown))).toContain('no usable keys');
    }
  });

  it('are not accepted from a redirect or an endless response, and are fetched within a time limit', async () => {
    const { fake } = await onFake();
    const read = async (write: Parameters<typeof withResponses>[0], timeLimitMs = 60_000) => {
      const { engine } = await withResponses(write, { timeLimitMs });
      return faultOf(engine.readCallback(signed(fake), unknown));
    };
    expect(await read(() => ({ status: 302, body: '', headers: { Location: fake.jwksUrl } }))).toContain('a redirect');
    expect(await read(() => ({ status: 200, body: 'x'.repeat(70_000) }))).toContain('too long');
    expect(await read(() => undefined, 300)).toContain('timeout');
    const nowhere = adapterTo({ queueUrl: fake.queueUrl, jwksUrl: await deadUrl() });
    expect(await faultOf(nowhere.readCallback(signed(fake), unknown))).toContain('ECONNREFUSED');
  });
});
