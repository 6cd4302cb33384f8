/** Notifications of Mercado Pago, sent by a fake and verified by Mercado Pago's own SDK. */
import { WebhookSignatureValidator } from 'mercadopago';
import { describe, expect, test } from 'vitest';
import type { PaymentNotification } from '../../../shared/gateways/pix-gateway.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { eventually } from '../../support/eventually.ts';
import { useMercadoPago, webhookSecret } from './mercado-pago-scene.ts';

const { charged, gatewayWith, notifications } = useMercadoPago();

describe('a Mercado Pago event', () => {
  const received = async (): Promise<PaymentNotification> => {
    notifications.length = 0;
    const { payment } = await charged();
    return eventually('the notification', async () =>
      notifications.find(({ query }) => query['data.id'] === payment.paymentId),
    );
  };

  test('that is genuine is accepted, by Mercado Pago’s own validator too', async () => {
    const notification = await received();
    const { headers, query } = notification;
    expect(await gatewayWith().readEvent(notification)).toEqual({
      eventId: headers['x-request-id'],
      subject: query['data.id'],
    });
    const given = {
      xSignature: headers['x-signature'] ?? '',
      xRequestId: headers['x-request-id'] ?? '',
      dataId: query['data.id'] ?? '',
    };
    expect(() => WebhookSignatureValidator.validate({ ...given, secret: webhookSecret })).not.toThrow();
    expect(() => WebhookSignatureValidator.validate({ ...given, secret: 'another' })).toThrow();
  });

  test('is rejected in each of 200 forged variants', async () => {
    const notification = await received();
    const { headers, query } = notification;
    const signature = headers['x-signature'] ?? '';
    const at = (index: number) => signature.length - 1 - (index % 64);
    const flipped = (text: string, index: number) =>
      `${text.slice(0, index)}${text[index] === '0' ? '1' : '0'}${text.slice(index + 1)}`;
    const forged: PaymentNotification[] = [
      ...Array.from({ length: 64 }, (_, index) => ({
        ...notification,
        headers: { ...headers, 'x-signature': flipped(signature, at(index)) },
      })),
      ...Array.from({ length: 64 }, (_, index) => ({
        ...notification,
        query: { ...query, 'data.id': String(index + 1) },
      })),
      ...Array.from({ length: 64 }, (_, index) => ({
        ...notification,
        headers: { ...headers, 'x-request-id': `request-${index}` },
      })),
      ...[
        '',
        'ts=1,v1=',
        signature.toUpperCase(),
        `${signature},v1=00`,
        signature.replace('ts=', 'ts=0'),
        signature.replace('v1', 'v2'),
      ].map((one) => ({ ...notification, headers: { ...headers, 'x-signature': one } })),
      { ...notification, headers: {} },
      { ...notification, query: {} },
    ];
    expect(forged.length).toBeGreaterThanOrEqual(200);
    for (const one of forged) expect(await gatewayWith().readEvent(one)).toBeUndefined();
  });

  test('is rejected if its timestamp is more than five minutes old or in the future', async () => {
    const notification = await received();
    const ageing = (ms: number) => gatewayWith({ now: () => systemClock.now() + ms }).readEvent(notification);
    expect(await ageing(240_000)).toBeDefined();
    expect(await ageing(301_000)).toBeUndefined();
    expect(await ageing(-301_000)).toBeUndefined();
  });
});
