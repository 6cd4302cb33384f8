import { BlockList } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPublicAddress, parseUserUrl } from '../../shared/platform/url-policy.ts';

/** The special-purpose registries, written independently of the library that the service uses. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
const SPECIAL_IPV6 = [
  '::/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
  '4000::/2',
  '8000::/1',
];

const blockList = (networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
};

const special = { ipv4: blockList(SPECIAL_IPV4, 'ipv4'), ipv6: blockList(SPECIAL_IPV6, 'ipv6') };

const dotted = (value: number): string => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
const numberOf = (address: string): number => address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);

/** Addresses in the special networks, and just inside and just outside of their boundaries. */
const addressNear = (network: string): fc.Arbitrary<number> => {
  const [base = '', bits] = network.split('/');
  const first = numberOf(base);
  const size = 2 ** (32 - Number(bits));
  const edges = [first - 1, first, first + size - 1, first + size].map((value) => (value + 2 ** 32) % 2 ** 32);
  return fc.oneof(
    fc.constantFrom(...edges),
    fc.nat({ max: size - 1 }).map((offset) => first + offset),
  );
};
const anyIpv4 = fc.oneof(fc.nat({ max: 2 ** 32 - 1 }), ...SPECIAL_IPV4.map(addressNear));
const anyIpv6 = fc
  .tuple(
    fc.constantFrom(
      '0000',
      '0064',
      '0100',
      '2000',
      '2001',
      '2002',
      '2606',
      '2620',
      '2a00',
      '3fff',
      '4000',
      '5f00',
      'fd00',
      'fe80',
      'ff02',
    ),
    fc.constantFrom('0000', '0002', '0003', '0020', '004f', '0db8', '0fff', '1000', '4700', 'ff9b'),
    fc.array(
      fc.nat({ max: 65_535 }).map((group) => group.toString(16)),
      { minLength: 6, maxLength: 6 },
    ),
  )
  .map(([first, second, rest]) => [first, second, ...rest].join(':'));

const part = (value: number) =>
  fc.oneof(
    fc.constant(String(value)),
    fc.nat({ max: 4 }).map((zeros) => `0${'0'.repeat(zeros)}${value.toString(8)}`),
    fc.tuple(fc.constantFrom('0x', '0X'), fc.nat({ max: 4 }), fc.boolean()).map(([prefix, zeros, upper]) => {
      const digits = value.toString(16);
      return `${prefix}${'0'.repeat(zeros)}${upper ? digits.toUpperCase() : digits}`;
    }),
  );
const fullWidth = (text: string): string =>
  text.replaceAll(/[0-9a-fx]/giu, (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0));

/**
 * All spellings that URL parsers accept for an address: one to four parts, three radices, leading zeros, wide digits.
 */
const spellings = (address: number) =>
  fc.integer({ min: 1, max: 4 }).chain((parts) => {
    const leading = Array.from({ length: parts - 1 }, (_, index) => (address >>> (24 - 8 * index)) & 255);
    const final = address % 2 ** (8 * (5 - parts));
    return fc
      .tuple(
        fc.tuple(...[...leading, final].map(part)),
        fc.constantFrom('.', '。', '．', '｡'),
        fc.boolean(),
        fc.constantFrom('', '.'),
      )
      .map(([texts, dot, wide, end]) => (wide ? fullWidth(texts.join(dot)) : texts.join(dot)) + end);
  });
const privateAddress = fc
  .oneof(...SPECIAL_IPV4.map(addressNear))
  .filter((address) => special.ipv4.check(dotted(address)));

describe('isPublicAddress', () => {
  test('agrees with IANA’s special-purpose registry about any IPv4 address, plain and IPv4-mapped', () => {
    fc.assert(
      fc.property(anyIpv4.map(dotted), (address) => {
        const expected = !special.ipv4.check(address);
        expect(isPublicAddress(address)).toBe(expected);
        expect(isPublicAddress(`::ffff:${address}`)).toBe(expected);
        expect(isPublicAddress(`::${address}`)).toBe(false);
        expect(isPublicAddress(`::ffff:0:${address}`)).toBe(false);
        expect(isPublicAddress(`64:ff9b::${address}`)).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  test('agrees with IANA’s special-purpose registry about any IPv6 address', () => {
    fc.assert(
      fc.property(anyIpv6, (address) => {
        expect(isPublicAddress(address)).toBe(!special.ipv6.check(address, 'ipv6'));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    '',
    ' ',
    'localhost',
    'example.com',
    '127.1',
    '0x8.8.8.8',
    '010.8.8.8',
    '134744072',
    '8.8.8.8 ',
    '8.8.8.8/32',
    '[2606:4700::7]',
    '2606:4700::7%eth0',
  ])('is false for %j, which is not a single plain address', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});

describe('parseUserUrl', () => {
  test('rejects every numeric form of every address that is not public, under both policies', () => {
    fc.assert(
      fc.property(
        privateAddress.chain((address) => fc.tuple(fc.constant(address), spellings(address))),
        ([address, host]) => {
          expect(new URL(`https://${host}/`).hostname).toBe(dotted(address));
          for (const policy of ['public', 'local'] as const) {
            expect(parseUserUrl(`https://${host}/`, policy)).toBeUndefined();
            expect(parseUserUrl(`https://${host}:8443/x`, policy)).toBeUndefined();
            expect(parseUserUrl(`http://${host}/`, policy)).toBeUndefined();
          }
        },
      ),
      { numRuns: 3000 },
    );
  });
});
