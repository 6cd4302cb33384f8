/** What is accepted of a charge that Mercado Pago reports. */
import { expect, test } from 'vitest';
import { pixCodeLimits } from '../../../shared/contracts/pix-code-limits.ts';
import { chargeIn } from '../../../shared/gateways/mercado-pago/mercado-pago-payment.ts';

const pngLimit = pixCodeLimits.qrCodeBase64 - 'data:image/png;base64,'.length;

const chargeWith = (textLength: number, pngLength: number) =>
  chargeIn(
    {
      id: 17,
      status: 'pending',
      transaction_amount: 14.9,
      currency_id: 'BRL',
      date_created: '2026-11-21T12:00:00.000-03:00',
      date_last_updated: '2026-11-21T12:00:00.000-03:00',
      point_of_interaction: {
        transaction_data: { qr_code: '0'.repeat(textLength), qr_code_base64: 'A'.repeat(pngLength) },
      },
    },
    'test',
  );

test('a PIX code is accepted up to the lengths that the contract publishes', () => {
  const { qrCode, qrCodeBase64 } = chargeWith(pixCodeLimits.qrCode, pngLimit);
  expect([qrCode.length, qrCodeBase64.length]).toEqual([1024, 200_000]);
});

test.for([
  ['text', pixCodeLimits.qrCode + 1, pngLimit],
  ['image', pixCodeLimits.qrCode, pngLimit + 1],
] as const)('a PIX code whose %s is longer is an error', ([, textLength, pngLength]) => {
  expect(() => chargeWith(textLength, pngLength)).toThrow('a PIX code that is too long');
});
