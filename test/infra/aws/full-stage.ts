/**
 * Stages on AWS with every setting. Many tests share such a stage, because synthesizing one takes long; each test
 * checks the effect of one setting.
 */
import type { ConfiguredEngineName } from '../../../shared/engines/engine-names.ts';
import { type Synthesized, synthesize } from './synthesized.ts';

const certificate = (region: string, id: number): string => `arn:aws:acm:${region}:123456789012:certificate/${id}`;

/** All settings that a new production stage can have. */
export const everySetting = {
  account: '123456789012',
  region: 'eu-west-1',
  domain: { name: 'api.example.com', certificateArn: certificate('eu-west-1', 1) },
  resultsDomain: { name: 'results.example.com', certificateArn: certificate('us-east-1', 3) },
  dashboard: {
    domain: { name: 'account.example.com', certificateArn: certificate('us-east-1', 2) },
    google: { clientId: '1-a.apps.googleusercontent.com' },
    clientLabel: 'second',
    emailFrom: 'accounts@example.org',
    signUp: 'open',
    signUpCredits: 100,
  },
  firewall: true,
  production: true,
  engines: {
    offline: { url: 'https://engine.example.org', secretName: 'any' },
    fal: { secretName: 'other' },
    elevenlabs: { secretName: 'third' },
    bedrock: { region: 'us-east-1' },
    klap: { secretName: 'fifth' },
    vizard: { secretName: 'sixth' },
    aws: { smartCrop: true },
  } satisfies Record<ConfiguredEngineName, object>,
  mercadoPago: { tokenSecretName: 'seventh', webhookSecretName: 'eighth' },
  stripe: { returnUrl: 'https://shop.example.com/plans', keySecretName: 'ninth', webhookSecretName: 'tenth' },
  meta: {
    version: 'v24.0',
    instagram: { appId: '1234567890123456', secretName: 'eleventh' },
    facebook: { appId: '6543210987654321', secretName: 'twelfth' },
    verifyTokenSecretName: 'thirteenth',
  },
  youtube: { secretName: 'fourth' },
  contentCredentials: {
    offBecause: 'The key is certified next week.',
    keys: ['new', 'old'],
    certificatesSecretName: 'fourteenth',
    unmarkedResults: 'stored',
    timeStampUrl: 'http://timestamp.example.com',
  },
  resultsRetentionDays: 90,
  likenessConsent: 'required',
  traces: 'off',
  publishedRetentionDays: 730,
  logRetentionDays: 14,
  alarmEmail: 'operators@example.org',
  alarmUrl: 'https://events.example.org/alarms',
  deployment: 'canary',
  webhookSigningKeys: ['new', 'old'],
  retiredWebhookSigningKeys: ['gone'],
};

const stages = {
  prod: everySetting,
  /** A stage with a table that was restored from a backup: a setting that a new stage cannot have. */
  dev: { ...everySetting, production: false, tableName: 'restored-2026' },
  /** A stage that marks its results. */
  marked: { ...everySetting, contentCredentials: { certificatesSecretName: 'fourteenth' } },
};

export const fullStage = (name: keyof typeof stages): Synthesized => synthesize(name, { [name]: stages[name] });
