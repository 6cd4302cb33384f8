/** The sandbox for payments of an emulated stage. */
import { acceptsKey, startInBackground } from './background-process.ts';

export const paymentVariables = {
  token: 'MERCADO_PAGO_TOKEN',
  webhookSecret: 'MERCADO_PAGO_WEBHOOK_SECRET',
} as const;

interface PaymentSecrets {
  readonly token: string;
  readonly webhookSecret: string;
}

/** @throws {Error} when it does not start. */
export const startPaymentSandboxProcess = (url: string, { token, webhookSecret }: PaymentSecrets): Promise<void> =>
  startInBackground({
    name: 'payment-sandbox',
    program: new URL('payments/main.ts', import.meta.url),
    environment: { [paymentVariables.token]: token, [paymentVariables.webhookSecret]: webhookSecret },
    isReady: () => acceptsKey(`${url}/v1/payments/0`, token),
  });
