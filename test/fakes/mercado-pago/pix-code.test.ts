/** The PIX code of the sandbox, by its published example, a decoder of its own and a reader of QR codes. */
import * as fc from 'fast-check';
import jsqr from 'jsqr';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { crc16, pixCode } from '../../../fakes/mercado-pago/pix-code.ts';
import { qrImage } from '../../../fakes/mercado-pago/qr-image.ts';

const key = '123e4567-e12b-12d1-a456-426655440000';

/** The fields of a template: an id of two digits, a length of two digits, a value. */
function fieldsOf(text: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let at = 0; at < text.length; ) {
    const length = Number(text.slice(at + 2, at + 4));
    fields[text.slice(at, at + 2)] = text.slice(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return fields;
}

test('a PIX code has the checksum of the example in the Banco Central’s manual', () => {
  const example = `00020126580014br.gov.bcb.pix0136${key}5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304`;
  expect(crc16(example)).toBe('1D3D');
});

test('a PIX code decodes to the receiver, the amount and the transaction, with the right checksum', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 99_999_999 }),
      fc.stringMatching(/^[A-Za-z0-9]{1,25}$/),
      (cents, transaction) => {
        const code = pixCode({ key, cents, transaction });
        const fields = fieldsOf(code);
        expect(fieldsOf(fields['26'] ?? '')).toEqual({ '00': 'br.gov.bcb.pix', '01': key });
        expect(fields).toMatchObject({ '00': '01', '52': '0000', '53': '986', '58': 'BR' });
        expect(Math.round(Number(fields['54']) * 100)).toBe(cents);
        expect(fieldsOf(fields['62'] ?? '')).toEqual({ '05': transaction });
        expect(fields['63']).toBe(crc16(code.slice(0, -4)));
      },
    ),
  );
});

test('the image of a PIX code contains the code', async () => {
  const code = pixCode({ key, cents: 5990, transaction: 'mp1' });
  const { data, info } = await sharp(await qrImage(code))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(code);
});
