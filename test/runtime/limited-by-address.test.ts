/** How requests without a token are counted by the address that they come from. */
import { expect, test } from 'vitest';
import { Rejection } from '../../shared/domain/rejection.ts';
import type { Exchange } from '../../shared/runtime/exchange.ts';
import { limitedByAddress } from '../../shared/runtime/limited-by-address.ts';
import { testTime } from '../support/test-table.ts';

const exchangeFrom = (sourceIp: string) => ({ event: { requestContext: { identity: { sourceIp } } } }) as Exchange;

/** Which of these addresses may ask, one after the other, if each may ask once. */
async function admitted(...addresses: readonly string[]): Promise<boolean[]> {
  const authenticate = limitedByAddress(1);
  return Array.fromAsync(addresses, async (address) => {
    try {
      await authenticate(exchangeFrom(address), { clock: { now: () => testTime } } as Parameters<
        typeof authenticate
      >[1]);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(Rejection);
      return false;
    }
  });
}

test('all addresses of an IPv6 network of 64 bits are counted as one, and those of another network are not', async () => {
  expect(await admitted('2001:db8:0:7::1', '2001:db8::7:ffff:ffff:ffff:ffff', '2001:db8:0:8::1')).toEqual([
    true,
    false,
    true,
  ]);
});

test('each IPv4 address is counted, however it is written', async () => {
  expect(await admitted('192.0.2.1', '192.0.2.2', '::ffff:192.0.2.1')).toEqual([true, true, false]);
});

test('requests whose address is not an IP address are counted together if the text is the same', async () => {
  expect(await admitted('', '', 'x')).toEqual([true, false, true]);
});
