/** COSE_Sign1 against the examples of RFC 9052 and of the COSE working group. */
import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { coseSign1, protectedHeader, toBeSigned } from '../../shared/provenance/cose-sign1.ts';

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const payload = new Uint8Array(Buffer.from('This is the content.'));

test('the bytes to be signed for COSE are those of the COSE working group’s example sign-pass-01', () => {
  // https://github.com/cose-wg/Examples/blob/master/sign1-tests/sign-pass-01.json
  expect(hexOf(toBeSigned(hex('a10126'), payload))).toBe(
    '846a5369676e61747572653143a101264054546869732069732074686520636f6e74656e742e',
  );
});

test('the example signature of RFC 9052, appendix C.2.1, is valid for the bytes to be signed', () => {
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: Buffer.from(hex('bac5b11cad8f99f9c72b05cf4b9e26d244dc189f745228255a219a86d6a09eff')).toString('base64url'),
      y: Buffer.from(hex('20138bf82dc1b6d562be0fa54ab7804a3a64b6d72ccfed6b6fb6ed28bbfc117e')).toString('base64url'),
    },
  });
  const signature = hex(
    '8eb33e4ca31d1c465ab05aac34cc6b23d58fef5c083106c4d25a91aef0b0117e2af9a291aa32e14ab834dc56ed2a223444547e01f11d3b0916e5a4c345cacb36',
  );
  const isValid = (header: string) =>
    verify('sha256', toBeSigned(hex(header), payload), { key, dsaEncoding: 'ieee-p1363' }, signature);
  expect(isValid('a10126')).toBe(true);
  expect(isValid('a10127')).toBe(false);
});

test('the protected COSE header has the algorithm, and a certificate as bytes or several as a list (RFC 9360)', () => {
  expect(hexOf(protectedHeader([hex('0102')]))).toBe('a201261821420102');
  expect(hexOf(protectedHeader([hex('0102'), hex('03')]))).toBe('a201261821824201024103');
});

test.for([
  ['a signature', undefined],
  ['a signature and a time stamp', new Uint8Array(300).fill(9)],
] as const)('a COSE message with %s can be padded to any reserved size that is large enough', ([, timeStamp]) => {
  const header = protectedHeader([new Uint8Array(300)]);
  const signature = new Uint8Array(64).fill(7);
  const smallest = timeStamp ? 720 : 400;
  for (let size = smallest; size < smallest + 700; size += 1) {
    const message = coseSign1({ header, signature, timeStamp }, size);
    expect(message.length).toBe(size);
    expect(hexOf(message).startsWith('d284')).toBe(true);
    expect(hexOf(message).endsWith(`f65840${'07'.repeat(64)}`)).toBe(true);
    expect(hexOf(message).includes('09'.repeat(300))).toBe(timeStamp !== undefined);
  }
});

test('a COSE message that is larger than the reserved size is rejected', () => {
  const header = protectedHeader([new Uint8Array(300)]);
  expect(() => coseSign1({ header, signature: new Uint8Array(64) }, 200)).toThrow('do not fit into 200 bytes');
});
