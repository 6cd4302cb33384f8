/** The payment sandboxes as a separate process, for an emulated stage. */
import { startMercadoPagoFake } from '../../../fakes/mercado-pago/mercado-pago-fake.ts';
import { startStripeFake } from '../../../fakes/stripe/stripe-fake.ts';
import { emulatedStage } from '../emulated-stage.ts';
import { paymentVariables } from '../payment-sandbox-process.ts';

const portOf = (url = ''): number => Number(new URL(url).port);
const given = (name: keyof typeof paymentVariables): string => process.env[paymentVariables[name]] ?? '';

const { mercadoPago, stripe } = emulatedStage();
const sandboxes = await Promise.all([
  startMercadoPagoFake({
    token: given('mercadoPagoToken'),
    webhookSecret: given('mercadoPagoWebhookSecret'),
    port: portOf(mercadoPago?.url),
  }),
  startStripeFake({
    key: given('stripeKey'),
    webhookSecret: given('stripeWebhookSecret'),
    webhookUrl: given('stripeEventsUrl'),
    port: portOf(stripe?.url),
  }),
]);
process.on('SIGTERM', () => {
  Promise.all(sandboxes.map((sandbox) => sandbox.close())).then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
