/** The users of the dashboard in Cognito, and which functions have access to its two clients. */
import { describe, expect, test } from 'vitest';
import { everySetting, fullStage } from '../../full-stage.ts';
import { functionsOf } from '../../policies.ts';
import { sampleStages } from '../../sample-stages.ts';
import { type Resource, type Synthesized, synthesize, textOf } from '../../synthesized.ts';

const app = synthesize('dev');
const social = fullStage('prod');

interface Client {
  readonly AllowedOAuthFlows?: readonly string[];
  readonly AllowedOAuthFlowsUserPoolClient: boolean;
  readonly CallbackURLs?: readonly unknown[];
  readonly ExplicitAuthFlows: readonly string[];
  readonly GenerateSecret: boolean;
  readonly LogoutURLs?: readonly unknown[];
  readonly SupportedIdentityProviders: readonly string[];
}

const identityOf = (synthesized: Synthesized, stage: string) => synthesized.dashboard(stage, 'Identity');

const clientOf = (synthesized: Synthesized, stage: string, name: string): Resource<Client> => {
  const clients = Object.entries(identityOf(synthesized, stage).ofType<Client>('AWS::Cognito::UserPoolClient'));
  const [found] = clients.filter(([id]) => id.startsWith(`Users${name}`)).map(([, client]) => client);
  if (!found) throw new Error(`there is no client ${name}`);
  return found;
};

test('users can log in to the dashboard with an e-mail address in any letter case and an optional second factor', () => {
  expect(identityOf(app, 'dev').one('AWS::Cognito::UserPool').Properties).toMatchObject({
    UsernameAttributes: ['email'],
    UsernameConfiguration: { CaseSensitive: false },
    MfaConfiguration: 'OPTIONAL',
    EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
    UserPoolTier: 'ESSENTIALS',
    AutoVerifiedAttributes: ['email'],
  });
});

test('a user’s new e-mail address counts only once it is verified, because an address may give access to an account', () => {
  const { UserAttributeUpdateSettings } = identityOf(app, 'dev').one('AWS::Cognito::UserPool').Properties;
  expect(UserAttributeUpdateSettings).toEqual({ AttributesRequireVerificationBeforeUpdate: ['email'] });
});

test('only production keeps the dashboard’s users when the stack is deleted', () => {
  const kept = (synthesized: Synthesized, stage: string) => {
    const { DeletionPolicy, Properties } = identityOf(synthesized, stage).one('AWS::Cognito::UserPool');
    return [DeletionPolicy, Properties.DeletionProtection];
  };
  expect(kept(app, 'dev')).toEqual(['Delete', 'INACTIVE']);
  expect(kept(social, 'prod')).toEqual(['Retain', 'ACTIVE']);
});

test('the dashboard uses Cognito’s managed log-in pages, which honor the prompt parameter, with their default look', () => {
  const { ManagedLoginVersion, Domain } = identityOf(app, 'dev').one('AWS::Cognito::UserPoolDomain').Properties;
  expect([ManagedLoginVersion, textOf(Domain)]).toEqual([2, 'generation-service-dev-<AWS::AccountId>']);
  const { ClientId, UseCognitoProvidedValues } = identityOf(app, 'dev').one(
    'AWS::Cognito::ManagedLoginBranding',
  ).Properties;
  expect([textOf(ClientId), UseCognitoProvidedValues]).toEqual([expect.stringMatching(/^<UsersPagesfirst/), true]);
});

describe('the client for the log-in pages', () => {
  test('has a secret, uses only the code flow, and redirects browsers only to the dashboard’s own routes', () => {
    const { Properties } = clientOf(app, 'dev', 'Pages');
    expect(Properties).toMatchObject({
      GenerateSecret: true,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthScopes: ['openid', 'email', 'profile'],
    });
    expect(Properties.ExplicitAuthFlows).not.toContain('ALLOW_ADMIN_USER_PASSWORD_AUTH');
    const [callback, home] = [Properties.CallbackURLs, Properties.LogoutURLs].map((urls) => urls?.map(textOf));
    expect(callback).toEqual([expect.stringMatching(/^https:\/\/<[^>]*>\/account\/api\/callback$/)]);
    expect(home).toEqual([expect.stringMatching(/^https:\/\/<[^>]*>\/account\/api\/home$/)]);
  });

  test('accepts log-ins through Google if the stage is configured for them', () => {
    expect(clientOf(app, 'dev', 'Pages').Properties.SupportedIdentityProviders).toEqual(['COGNITO']);
    expect(identityOf(app, 'dev').ofType('AWS::Cognito::UserPoolIdentityProvider')).toEqual({});
    expect(clientOf(social, 'prod', 'Pages').Properties.SupportedIdentityProviders).toEqual(['COGNITO', 'Google']);
    const provider = identityOf(social, 'prod').one('AWS::Cognito::UserPoolIdentityProvider').Properties;
    expect(provider).toMatchObject({
      ProviderName: 'Google',
      AttributeMapping: { email: 'email', email_verified: 'email_verified', name: 'name' },
      ProviderDetails: {
        client_id: everySetting.dashboard.google.clientId,
        client_secret: expect.stringContaining('resolve:secretsmanager:generation-service/prod/identity/google'),
      },
    });
  });
});

test('the client for passwords can check passwords and nothing else', () => {
  const { Properties } = clientOf(app, 'dev', 'Passwords');
  expect(Properties).toMatchObject({ GenerateSecret: true, AllowedOAuthFlowsUserPoolClient: false });
  expect(Properties.ExplicitAuthFlows.toSorted()).toEqual([
    'ALLOW_ADMIN_USER_PASSWORD_AUTH',
    'ALLOW_REFRESH_TOKEN_AUTH',
  ]);
  expect(Properties.CallbackURLs ?? Properties.AllowedOAuthFlows).toBeUndefined();
});

test('log-in e-mails are sent from the stage’s own address if it has one', () => {
  const configuration = (synthesized: Synthesized, stage: string) =>
    identityOf(synthesized, stage).one<{ readonly EmailConfiguration?: { readonly SourceArn: unknown } }>(
      'AWS::Cognito::UserPool',
    ).Properties.EmailConfiguration;
  expect(configuration(app, 'dev')).toBeUndefined();
  expect(configuration(social, 'prod')).toMatchObject({
    EmailSendingAccount: 'DEVELOPER',
    From: 'accounts@example.org',
  });
  expect(textOf(configuration(social, 'prod')?.SourceArn)).toMatch(/:identity\/example\.org$/);
});

test('a new label of the log-in clients publishes all functions again, because their settings come from other stacks', () => {
  const described = (synthesized: Synthesized, stage: string) =>
    Object.values(synthesized.service(stage).ofType<{ Description: string }>('AWS::Lambda::Function'));
  const without = (label: string, functions: ReturnType<typeof described>) =>
    functions
      .map(({ Properties }) => Properties.Description)
      .filter((text) => !text.includes(` with clients ${label}: `));
  expect([without('first', described(app, 'dev')), without('second', described(social, 'prod'))]).toEqual([[], []]);
});

test('a new label of the log-in clients creates new clients and secrets', () => {
  const ids = (synthesized: Synthesized, stage: string) => [
    ...Object.keys(identityOf(synthesized, stage).ofType('AWS::Cognito::UserPoolClient')),
    ...Object.keys(identityOf(synthesized, stage).ofType('AWS::SecretsManager::Secret')),
  ];
  const [before, after] = [ids(app, 'dev'), ids(social, 'prod')];
  expect([before.length, after.length]).toEqual([4, 4]);
  expect(before.filter((id) => after.includes(id))).toEqual([]);
});

test('no other stack imports anything that a new label of the log-in clients, or a new domain, changes', () => {
  const templates = JSON.stringify(app.stacks('dev').map(({ resources }) => resources));
  expect(templates).toContain('"StackName":"GenerationService-dev-Identity"');
  expect([...templates.matchAll(/"Fn::ImportValue":"GenerationService-dev-(Identity|Site|Headers):/g)]).toEqual([]);
});

describe('among all functions,', () => {
  const whoKnows = (variable: string) =>
    Object.entries(functionsOf(app.service('dev')))
      .filter(([, { environment }]) => variable in environment)
      .map(([name]) => name);
  const whoMay = (action: string, resource: string) =>
    Object.entries(functionsOf(app.service('dev')))
      .filter(([, { allowances }]) => allowances.some((one) => one.action === action && one.resource === resource))
      .map(([name]) => name);
  const reading = 'secretsmanager:GetSecretValue';
  const askForPasswords = ['createToken', 'setTokenCap', 'closeAccount', 'requestExport', 'openExport'];

  test('each client secret for log-in pages is read by one alone, and that for passwords only by those that ask for passwords', () => {
    expect(whoMay(reading, 'client secret Pages')).toEqual(['completeLogin']);
    expect(whoMay(reading, 'client secret Operators')).toEqual(['completeOperatorLogin']);
    expect(whoKnows('IDENTITY_CLIENT_SECRET')).toEqual(['completeLogin']);
    expect(whoKnows('OPERATOR_IDENTITY_CLIENT_SECRET')).toEqual(['completeOperatorLogin']);
    expect(whoMay(reading, 'client secret Passwords')).toEqual(askForPasswords);
    expect(whoKnows('PASSWORD_CLIENT_SECRET')).toEqual(askForPasswords);
  });

  test('only those that confirm an identity, or erase accounts, may call Cognito’s user pool API', () => {
    expect(whoMay('cognito-idp:AdminInitiateAuth', 'user pool')).toEqual(askForPasswords);
    expect(whoMay('cognito-idp:AdminGetUser', 'user pool').toSorted()).toEqual([
      'closeAccount',
      'completeLogin',
      'createToken',
      'openExport',
      'requestExport',
      'setTokenCap',
    ]);
    expect(whoMay('cognito-idp:AdminDeleteUser', 'user pool')).toEqual(['eraseClosedAccounts']);
  });

  test('only the one that completes log-ins has the settings for sign-up', () => {
    expect([whoKnows('SIGN_UP'), whoKnows('SIGN_UP_CREDITS')]).toEqual([['completeLogin'], ['completeLogin']]);
    expect(functionsOf(app.service('dev')).completeLogin.environment).toMatchObject({
      SIGN_UP: 'invitation',
      SIGN_UP_CREDITS: '0',
    });
  });
});

test('operators are users of a pool of their own, which administrators fill and which requires a second factor', () => {
  const operators = app.dashboard('dev', 'Operators');
  expect(operators.one('AWS::Cognito::UserPool').Properties).toMatchObject({
    AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
    MfaConfiguration: 'ON',
    EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
  });
  const groups = Object.values(operators.ofType<{ readonly GroupName: string }>('AWS::Cognito::UserPoolGroup'));
  expect(groups.map(({ Properties }) => Properties.GroupName)).toEqual([
    'operators-viewer',
    'operators-support',
    'operators-admin',
  ]);
  const { CallbackURLs, SupportedIdentityProviders } = operators.one<Client>('AWS::Cognito::UserPoolClient').Properties;
  expect(SupportedIdentityProviders).toEqual(['COGNITO']);
  expect(CallbackURLs?.map(textOf)).toEqual([expect.stringMatching(/\/operate\/api\/callback$/)]);
});

test('an emulated stage uses this machine’s identity provider instead of Cognito', () => {
  const { createToken, listTokens } = functionsOf(synthesize('local').service('local'));
  const { identityUrl, siteUrl } = sampleStages.local.dashboard.emulated;
  expect(createToken.environment).toMatchObject({
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: identityUrl,
    DASHBOARD_URL: siteUrl,
    IDENTITY_KEYS_URL: `${identityUrl}/.well-known/jwks.json`,
    PASSWORD_CLIENT: 'local-passwords',
  });
  expect(listTokens.environment).not.toHaveProperty('AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER');
  const elsewhere = Object.values(functionsOf(app.service('dev'))).flatMap(({ environment }) =>
    Object.keys(environment).filter((name) => name.startsWith('AWS_')),
  );
  expect(elsewhere).toEqual([]);
});
