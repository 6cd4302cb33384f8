/** Which providers' keys a function may read, and where it finds them. */
import { Stack } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { ProviderKeys } from '../../../../infra/aws/secrets.ts';
import { readStages } from '../../../../infra/aws/stages.ts';
import { stagesWith, textOf } from '../synthesized.ts';

const keysOf = (settings: object, name: 'local' | 'dev' = 'dev') => {
  const [stage] = readStages({ stage: name, stages: stagesWith(name, settings) });
  if (!stage) throw new Error('no stage');
  const keys = new ProviderKeys(new Stack(), 'Keys', stage);
  const allowed = (of: 'engines' | 'youtube' | 'payments' | 'subscriptions') => {
    const { statements = [], settings: known = {} } = keys.allow(of);
    const resources = statements.flatMap((one) => new Stack().resolve(one.toStatementJson()).Resource as unknown[]);
    return { secrets: resources.flat().map((one) => textOf(one).split(':').at(-1)), settings: Object.keys(known) };
  };
  return { keys, allowed };
};

test('YouTube’s key is granted separately from engines’ keys', () => {
  const { keys, allowed } = keysOf({ engines: { fal: {}, elevenlabs: { secretName: 'sounds' } }, youtube: {} });
  expect(allowed('engines')).toEqual({
    secrets: ['generation-service/dev/engines/fal-??????', 'sounds-??????'],
    settings: ['falKey', 'elevenLabsKey'],
  });
  expect(allowed('youtube')).toEqual({
    secrets: ['generation-service/dev/youtube-??????'],
    settings: ['youtubeKey'],
  });
  expect(Object.keys(keys.outputs)).toEqual(['FalEngineSecret', 'ElevenlabsEngineSecret', 'YoutubeSecret']);
});

test('functions that take payments get the payment keys, and the sandbox’s address if the stage has one', () => {
  const secrets = ['generation-service/dev/payments/mercado-pago-??????'];
  secrets.push('generation-service/dev/payments/mercado-pago-webhooks-??????');
  const settings = ['pixGateway', 'stageName', 'mercadoPagoToken', 'mercadoPagoWebhookSecret'];
  expect(keysOf({ mercadoPago: {} }).allowed('payments')).toEqual({ secrets, settings });
  const emulated = keysOf({ mercadoPago: { url: 'http://127.0.0.1:2' } }, 'local');
  const { settings: known } = emulated.keys.allow('payments');
  expect(known).toMatchObject({ pixGateway: 'mercado-pago', mercadoPagoUrl: 'http://127.0.0.1:2' });
});

test('functions that take subscriptions get the subscription keys and the address that browsers return to after a checkout', () => {
  const { keys, allowed } = keysOf({ mercadoPago: {}, stripe: { returnUrl: 'https://shop.example/plans' } });
  expect(allowed('subscriptions')).toEqual({
    secrets: [
      'generation-service/dev/payments/stripe-??????',
      'generation-service/dev/payments/stripe-webhooks-??????',
    ],
    settings: ['subscriptionGateway', 'stripeReturnUrl', 'stageName', 'stripeKey', 'stripeWebhookSecret'],
  });
  expect(allowed('payments').settings).not.toContain('stripeKey');
  const stripe = { returnUrl: 'http://127.0.0.1:3', url: 'http://127.0.0.1:2' };
  expect(keysOf({ stripe }, 'local').keys.settings).toMatchObject({ stripeUrl: 'http://127.0.0.1:2' });
  expect(keys.settings).toMatchObject({ subscriptionGateway: 'stripe', stripeReturnUrl: 'https://shop.example/plans' });
  expect(keysOf({ dashboard: {}, stripe: {} }).keys.settings).not.toHaveProperty('stripeReturnUrl');
});

test('a stage without providers that need keys has neither grants nor settings for such keys', () => {
  const { keys } = keysOf({ engines: { bedrock: { region: 'us-west-2' } } });
  expect([keys.allow('engines'), keys.allow('youtube'), keys.settings]).toEqual([{}, {}, {}]);
});
