/** The dashboard's users: a Cognito user pool, its log-in pages, and two clients for the service. */
import { Aws, Duration, RemovalPolicy, SecretValue, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  type CfnUserPoolClient,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  ProviderAttribute,
  UserPool,
  type UserPoolClient,
  UserPoolClientIdentityProvider,
  type UserPoolClientOptions,
  UserPoolDomain,
  UserPoolEmail,
  UserPoolIdentityProviderGoogle,
} from 'aws-cdk-lib/aws-cognito';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { loginRoutes } from '../../../shared/contracts/login.ts';
import type { DashboardSettings, Stage } from '../stages.ts';
import type { IdentityAccess, IdentityClient } from './identity-access.ts';

export interface IdentityStackProps extends StackProps {
  readonly stage: Stage;
  readonly dashboard: DashboardSettings;
  /** The URLs of the dashboard, without a trailing slash. */
  readonly siteUrls: readonly string[];
}

const reasons = {
  COG1: 'Length protects a password; rules about its characters make people choose worse ones.',
  COG2: 'Owners choose whether they want a second factor: it is theirs to lose.',
  COG3: 'Threat protection costs more for each user than all else of the dashboard together.',
  COG8: 'The plan Essentials has everything that the dashboard uses.',
};

/**
 * Token lifetimes, the shortest that Cognito allows: its tokens are discarded, because the service has its own
 * sessions.
 */
const shortest = {
  accessTokenValidity: Duration.minutes(5),
  idTokenValidity: Duration.minutes(5),
  refreshTokenValidity: Duration.hours(1),
  enableTokenRevocation: true,
  preventUserExistenceErrors: true,
} as const;

export class IdentityStack extends Stack {
  readonly access: IdentityAccess;
  readonly userPool: UserPool;
  readonly #label: string;

  constructor(scope: Construct, id: string, { stage, dashboard, siteUrls, ...props }: IdentityStackProps) {
    super(scope, id, props);
    this.#label = dashboard.clientLabel;
    this.userPool = this.#users(stage, dashboard);
    const issuer = this.userPool.userPoolProviderUrl;
    this.access = {
      issuer,
      keysUrl: `${issuer}/.well-known/jwks.json`,
      url: this.#domain(stage, dashboard).baseUrl(),
      userPoolArn: this.userPool.userPoolArn,
      pages: this.#pages(siteUrls, this.#google(dashboard)),
      passwords: this.#client('Passwords', {
        ...shortest,
        authFlows: { adminUserPassword: true },
        disableOAuth: true,
        supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      }),
    };
  }

  #pages(siteUrls: readonly string[], google: UserPoolIdentityProviderGoogle | undefined): IdentityClient {
    const { COGNITO, GOOGLE } = UserPoolClientIdentityProvider;
    const client = this.#client('Pages', {
      ...shortest,
      authFlows: { userSrp: true },
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE],
        callbackUrls: siteUrls.map((url) => `${url}${loginRoutes.completeLogin.path}`),
        logoutUrls: siteUrls.map((url) => `${url}${loginRoutes.returnHome.path}`),
      },
      supportedIdentityProviders: google ? [COGNITO, GOOGLE] : [COGNITO],
    });
    if (google) client.made.node.addDependency(google);
    new CfnManagedLoginBranding(this, `Branding-${this.#label}`, {
      userPoolId: this.userPool.userPoolId,
      clientId: client.id,
      useCognitoProvidedValues: true,
    });
    return client;
  }

  #users({ isProduction }: Stage, { emailFrom }: DashboardSettings): UserPool {
    const userPool = new UserPool(this, 'Users', {
      // Anyone can register with Cognito; the service itself decides who gets an account.
      selfSignUpEnabled: true,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      // A changed email address takes effect only once it is verified, because it may claim an account.
      keepOriginal: { email: true },
      standardAttributes: {
        email: { required: true, mutable: true },
        fullname: { required: true, mutable: true },
      },
      mfa: Mfa.OPTIONAL,
      mfaSecondFactor: { otp: true, sms: false },
      passwordPolicy: {
        minLength: 12,
        requireDigits: false,
        requireLowercase: false,
        requireSymbols: false,
        requireUppercase: false,
      },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      featurePlan: FeaturePlan.ESSENTIALS,
      ...(emailFrom && {
        email: UserPoolEmail.withSES({
          fromEmail: emailFrom,
          sesRegion: Aws.REGION,
          sesVerifiedDomain: emailFrom.slice(emailFrom.indexOf('@') + 1),
        }),
      }),
      deletionProtection: isProduction,
      removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    for (const [rule, reason] of Object.entries(reasons)) {
      Validations.of(userPool).acknowledge({ id: `AwsSolutions-${rule}`, reason });
    }
    return userPool;
  }

  #domain({ name }: Stage, { loginPrefix }: DashboardSettings): UserPoolDomain {
    return new UserPoolDomain(this, 'Domain', {
      userPool: this.userPool,
      cognitoDomain: { domainPrefix: loginPrefix ?? `generation-service-${name}-${Aws.ACCOUNT_ID}` },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
  }

  #google({ google }: DashboardSettings): UserPoolIdentityProviderGoogle | undefined {
    if (!google) return undefined;
    return new UserPoolIdentityProviderGoogle(this, 'Google', {
      userPool: this.userPool,
      clientId: google.clientId,
      clientSecretValue: SecretValue.secretsManager(google.secretName),
      scopes: ['openid', 'email', 'profile'],
      attributeMapping: {
        email: ProviderAttribute.GOOGLE_EMAIL,
        emailVerified: ProviderAttribute.GOOGLE_EMAIL_VERIFIED,
        fullname: ProviderAttribute.GOOGLE_NAME,
      },
    });
  }

  #client(name: string, options: UserPoolClientOptions): IdentityClient & { readonly made: UserPoolClient } {
    const made = this.userPool.addClient(`${name}-${this.#label}`, { ...options, generateSecret: true });
    const secret = new Secret(this, `${name}Secret-${this.#label}`, {
      description: `The dashboard’s secret at Cognito: ${name}`,
      secretStringValue: SecretValue.resourceAttribute((made.node.defaultChild as CfnUserPoolClient).attrClientSecret),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const reason = 'Cognito made it; another client replaces it, which the operators’ guide describes.';
    Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason });
    return { made, id: made.userPoolClientId, secretArn: secret.secretArn };
  }
}
