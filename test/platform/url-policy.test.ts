import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { literalAddresses, parseUserUrl, resolvesAcceptably } from '../../shared/platform/url-policy.ts';
import { HONEST_URLS, HOSTILE_RESOLUTIONS, HOSTILE_URLS } from './fixtures/hostile-urls.ts';

const resolvesTo =
  (...addresses: string[]) =>
  async () =>
    addresses;
const doesNotResolve = () => Promise.reject(new Error('ENOTFOUND'));

describe('parseUserUrl', () => {
  test.each(Object.entries(HOSTILE_URLS))('rejects %s under both policies', (_trick, urls) => {
    expect(urls.filter((url) => parseUserUrl(url, 'public') !== undefined)).toEqual([]);
    expect(urls.filter((url) => parseUserUrl(url, 'local') !== undefined)).toEqual([]);
  });

  test('is tested with at least 150 hostile and 25 allowed URLs without duplicates', () => {
    const hostile = Object.values(HOSTILE_URLS).flat();
    expect(hostile.length).toBeGreaterThanOrEqual(150);
    expect(HONEST_URLS.length).toBeGreaterThanOrEqual(25);
    expect(new Set([...hostile, ...HONEST_URLS]).size).toBe(hostile.length + HONEST_URLS.length);
  });

  test.each(HONEST_URLS)('allows %s under both policies, and also after the URL was serialized', (url) => {
    const parsed = parseUserUrl(url, 'public');
    expect(parsed?.href).toBe(new URL(url).href);
    expect(parseUserUrl(url, 'local')?.href).toBe(parsed?.href);
    expect(parseUserUrl(parsed?.href ?? '', 'public')?.href).toBe(parsed?.href);
  });

  test.each([
    ['allows', 'http://127.0.0.1:3000'],
    ['allows', 'http://127.0.0.1:3000/hooks?x=1'],
    ['allows', 'http://localhost:3000'],
    ['allows', 'HTTP://LocalHost:3000/'],
    ['allows', 'http://127.0.0.1:65535/'],
    ['rejects', 'http://127.0.0.1'],
    ['rejects', 'http://127.0.0.1/'],
    ['rejects', 'http://localhost/'],
    ['rejects', 'http://127.0.0.1:'],
    ['allows', 'http://127.0.0.1:80/'],
    ['allows', 'http://localhost:80'],
    ['rejects', 'http://127.0.0.1:0/'],
    ['rejects', 'http://127.0.0.1:65536/'],
    ['rejects', 'http://127.0.0.2:3000'],
    ['rejects', 'http://127.1:3000'],
    ['rejects', 'http://2130706433:3000'],
    ['rejects', 'http://0x7f.0.0.1:3000'],
    ['rejects', 'http://127.0.0.1.:3000'],
    ['rejects', 'http://localhost.:3000'],
    ['rejects', 'http://0.0.0.0:3000'],
    ['rejects', 'http://[::1]:3000'],
    ['rejects', 'http://[::ffff:127.0.0.1]:3000'],
    ['rejects', 'http://app.localhost:3000'],
    ['rejects', 'http://ⓛocalhost:3000'],
    ['rejects', 'http://user@127.0.0.1:3000'],
    ['rejects', 'http://127.0.0.1:3000@10.0.0.1:80'],
    ['rejects', 'http://127.0.0.1:3000\\@example.com'],
    ['rejects', 'http://10.0.0.1:3000'],
    ['rejects', 'http://169.254.169.254:80'],
    ['rejects', 'http://example.com:3000'],
    ['rejects', 'https://127.0.0.1:3000'],
    ['rejects', 'https://localhost:3000'],
  ])('%s under the local policy and rejects under the public one: %s', (outcome, url) => {
    expect(parseUserUrl(url, 'local') !== undefined).toBe(outcome === 'allows');
    expect(parseUserUrl(url, 'public')).toBeUndefined();
  });

  test('never allows a text whose URL leads to a private host, and still allows after serializing what it allowed before', () => {
    const piece = fc.constantFrom(
      'https:',
      'http:',
      '//',
      '/',
      '@',
      ':',
      '.',
      '127',
      '1',
      'localhost',
      'a',
      'com',
      '[',
      ']',
    );
    const text = fc.oneof(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc
        .array(fc.oneof(piece, piece, piece, fc.string({ maxLength: 2, unit: 'binary' })), { maxLength: 12 })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (candidate) => {
        const url = parseUserUrl(candidate, 'public');
        if (url === undefined) return;
        expect(url.protocol).toBe('https:');
        expect(url.hostname).toMatch(/\.|^\[/u);
        expect(url.username + url.password).toBe('');
        expect(parseUserUrl(url.href, 'public')?.href).toBe(url.href);
      }),
      { numRuns: 500 },
    );
  });
});

describe('literalAddresses', () => {
  test.each([
    ['the address', 'https://8.8.8.8/', ['8.8.8.8']],
    ['the address', 'https://[2606:4700::7]:8443/', ['2606:4700::7']],
    ['both loopback addresses', 'http://localhost:3000/', ['127.0.0.1', '::1']],
    ['undefined', 'https://example.com/', undefined],
  ])('returns %s for %s', (_result, url, addresses) => {
    expect(literalAddresses(new URL(url))).toEqual(addresses);
  });
});

describe('resolvesAcceptably', () => {
  const resolutions = HOSTILE_RESOLUTIONS.map(([url, ...addresses]) => [url, addresses] as const);
  test.for(resolutions)('rejects %s, which resolves to %j', async ([url, addresses]) => {
    expect(await resolvesAcceptably(new URL(url), 'public', resolvesTo(...addresses))).toBe(false);
    expect(await resolvesAcceptably(new URL(url), 'local', resolvesTo(...addresses))).toBe(false);
  });

  test('accepts a name that resolves only to public addresses', async () => {
    const url = new URL('https://hook.example.com/');
    expect(await resolvesAcceptably(url, 'public', resolvesTo('8.8.8.8', '2606:4700::7', '::ffff:1.1.1.1'))).toBe(true);
  });

  test.each(['127.0.0.1', 'localhost'])('accepts port 80 of %s, which a serialized URL omits', async (host) => {
    expect(await resolvesAcceptably(new URL(`http://${host}:80/`), 'local', doesNotResolve)).toBe(true);
    expect(await resolvesAcceptably(new URL(`http://${host}:80/`), 'public', doesNotResolve)).toBe(false);
  });

  test.each(['https://127.0.0.1/', 'https://localhost/', 'https://localhost:8443/'])(
    'rejects %s, because this machine may be reached only over http',
    async (url) => {
      expect(await resolvesAcceptably(new URL(url), 'local', doesNotResolve)).toBe(false);
    },
  );

  test('accepts a name that does not resolve', async () => {
    const url = new URL('https://hook.example.com/');
    expect(await resolvesAcceptably(url, 'public', doesNotResolve)).toBe(true);
    expect(await resolvesAcceptably(url, 'public', resolvesTo())).toBe(true);
  });

  test('rejects a URL that parseUserUrl would reject, whatever its name resolves to', async () => {
    expect(await resolvesAcceptably(new URL('https://127.0.0.1/'), 'public', resolvesTo('8.8.8.8'))).toBe(false);
    expect(await resolvesAcceptably(new URL('http://example.com/'), 'local', resolvesTo('8.8.8.8'))).toBe(false);
    expect(await resolvesAcceptably(new URL('http://localhost:3000/'), 'public', resolvesTo('8.8.8.8'))).toBe(false);
  });

  test('does not resolve literal addresses, or names of this machine', async () => {
    expect(await resolvesAcceptably(new URL('https://8.8.8.8/'), 'public', resolvesTo('10.0.0.1'))).toBe(true);
    expect(await resolvesAcceptably(new URL('http://localhost:3000/'), 'local', resolvesTo('10.0.0.1'))).toBe(true);
    expect(await resolvesAcceptably(new URL('http://127.0.0.1:3000/'), 'local', resolvesTo('10.0.0.1'))).toBe(true);
  });
});
