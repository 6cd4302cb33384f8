/** The sandbox for payments as a separate process for an emulated stage. */
import { startMercadoPagoFake } from '../../local/sandboxes/mercado-pago/mercado-pago-fake.ts';
import { emulatedStage } from '../emulated-stage.ts';
import { paymentVariables } from '../payment-sandbox-process.ts';

const { url = '' } = emulatedStage().mercadoPago ?? {};
const { [paymentVariables.token]: token = '', [paymentVariables.webhookSecret]: webhookSecret = '' } = process.env;

const sandbox = await startMercadoPagoFake({ token, webhookSecret, port: Number(new URL(url).port) });
process.on('SIGTERM', () => {
  sandbox.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
