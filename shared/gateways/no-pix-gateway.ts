/** Used if no PIX gateway is configured: there are no payments, and charges cannot be created. */
import type { PixGateway, PixPayment } from './pix-gateway.ts';

async function* nothing(): AsyncGenerator<PixPayment> {}

export const noPixGateway: PixGateway = {
  name: 'none',
  createCharge: async () => ({ refusal: 'no payment gateway is configured' }),
  read: async () => undefined,
  cancel: async () => undefined,
  changedSince: nothing,
  readEvent: async () => undefined,
};
