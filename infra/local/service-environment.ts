/** The environment of the local functions: the names and URLs that a deployment would set on AWS. */

import { returnedPath } from '../../fakes/stripe/checkout-pages.ts';
import { publishedRetentionDays, resultsRetentionDays } from '../../shared/contracts/limits.ts';
import type { SettingValues } from '../../shared/platform/setting-values.ts';
import { type Settings, settingVariables } from '../../shared/platform/settings.ts';
import type { Keys } from './keys.ts';
import { localRegion } from './local-arn.ts';
import type { Parts } from './parts.ts';
import { uploadsPath } from './uploads/uploads-page.ts';

/** Settings that are optional, because their values are the same everywhere or belong to providers. */
type OptionalSetting =
  | 'serviceName'
  | 'version'
  | 'metricsNamespace'
  | 'bedrockRegion'
  | 'mediaConvertRole'
  | 'mediaConvertQueue'
  | 'clipCropping'
  | 'engines'
  | 'subscriptionGateway'
  | 'confirmationPrompt'
  | 'timeStampUrl'
  | 'unmarkedResults'
  | Extract<keyof SettingValues, `${'identity' | 'operatorIdentity' | 'password'}${string}`>
  | Extract<
      keyof SettingValues,
      `${'fal' | 'elevenLabs' | 'klap' | 'vizard' | 'youtube' | 'stripe' | 'meta'}${string}`
    >;
type LocalSettings = Omit<SettingValues, OptionalSetting> & Partial<SettingValues>;

const named = (settings: LocalSettings): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [settingVariables[name as keyof SettingValues], value]),
  );

/** Credentials for the AWS SDK; the local substitutes accept any. */
export const localIdentity = {
  AWS_REGION: localRegion,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
};

const sdkEnvironment = ({ database, identity, queues }: Parts, stepFunctionsUrl: string) => ({
  ...localIdentity,
  AWS_ENDPOINT_URL_DYNAMODB: database.url,
  AWS_ENDPOINT_URL_SQS: queues.url,
  AWS_ENDPOINT_URL_S3: queues.url,
  AWS_ENDPOINT_URL_SFN: stepFunctionsUrl,
  ...(identity && { AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: identity.url }),
});

/** The settings that the user who starts the service chooses. */
interface Chosen extends Pick<Settings, 'urlPolicy'>, Partial<Pick<Settings, 'likenessConsent'>> {}

interface Where {
  readonly url: string;
  readonly keys: Keys;
  readonly parts: Parts;
  readonly workflow: { readonly url: string; readonly stateMachineArns: string };
  readonly chosen: Chosen;
  readonly engineCompletion: Settings['offlineEngineCompletion'];
}

/**
 * The dashboard's URL, at `localhost`: a different site than the identity provider's 127.0.0.1, so that, as on AWS,
 * cookies of one are not sent to the other.
 */
export const dashboardUrlOf = (url: string): string => url.replace('//127.0.0.1:', '//localhost:');

export const tableName = 'generation-service';

const retention = {
  resultsRetentionDays: String(resultsRetentionDays),
  publishedRetentionDays: String(publishedRetentionDays),
};

const settingsChosen = ({ urlPolicy, likenessConsent = 'ignored' }: Chosen) => ({ urlPolicy, likenessConsent });

const queueSettings = ({ deadLetterUrls, queueUrls }: Parts['queues']) => ({
  webhookQueueUrl: queueUrls.webhooks,
  paymentQueueUrl: queueUrls.paymentEvents,
  inboxQueueUrl: queueUrls.inbox,
  webhookDeadLettersUrl: deadLetterUrls.webhooks,
  paymentDeadLettersUrl: deadLetterUrls.paymentEvents,
  inboxDeadLettersUrl: deadLetterUrls.inbox,
});

export const serviceEnvironment = ({ url, keys, parts, workflow, chosen, engineCompletion }: Where) => ({
  ...sdkEnvironment(parts, workflow.url),
  ...named({
    tableName,
    // No metrics are extracted from the local service's log.
    metricsDisabled: 'true',
    resultsBucket: parts.queues.resultsBucket,
    inputsBucket: parts.queues.inputsBucket,
    uploadsUrl: `${url}${uploadsPath}`,
    ...queueSettings(parts.queues),
    stateMachineArns: workflow.stateMachineArns,
    apiUrl: url,
    dashboardUrl: dashboardUrlOf(url),
    resultsUrl: url,
    ...retention,
    localFilesUrl: url,
    ...settingsChosen(chosen),
    engineCallbackKey: keys.engineCallbackKey,
    webhookTokenKey: keys.webhookTokenKey,
    credentialsKey: keys.credentialsKey,
    webhookSigningKeys: keys.webhookSigningKeys,
    contentSigningKey: keys.content.key,
    contentCertificates: keys.content.certificates,
    stageName: 'local',
    pixGateway: 'mercado-pago',
    mercadoPagoUrl: parts.payments.url,
    pixSandboxUrl: parts.payments.url,
    mercadoPagoToken: keys.mercadoPagoToken,
    mercadoPagoWebhookSecret: keys.mercadoPagoWebhookSecret,
    subscriptionGateway: 'stripe',
    stripeUrl: parts.subscriptions.url,
    stripeKey: keys.stripeKey,
    stripeWebhookSecret: keys.stripeWebhookSecret,
    stripeReturnUrl: parts.identity ? 'dashboard' : parts.subscriptions.url + returnedPath,
    metaInstagramApp: 'sandbox',
    metaFacebookApp: 'sandbox',
    metaInstagramSecrets: keys.metaAppSecret,
    metaFacebookSecrets: keys.metaAppSecret,
    metaVerifyToken: keys.metaVerifyToken,
    metaSandboxUrl: parts.social.url,
    signUp: 'open',
    signUpCredits: '100',
    ...parts.identity?.settings,
    offlineEngineUrl: parts.offlineEngine.url,
    offlineEngineKey: keys.offlineEngineKey,
    offlineEngineCompletion: engineCompletion,
    ...parts.fake?.settings,
  }),
});
