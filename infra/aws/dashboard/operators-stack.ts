/** The operators of a stage: a Cognito user pool of their own that requires a second factor, with a group for each role. */
import { Aws, Duration, RemovalPolicy, SecretValue, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  type CfnUserPoolClient,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  UserPool,
  UserPoolClientIdentityProvider,
  UserPoolDomain,
  UserPoolGroup,
} from 'aws-cdk-lib/aws-cognito';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { operatorLoginRoutes } from '../../../shared/contracts/operate-login.ts';
import { operatorRoles } from '../../../shared/contracts/operator-roles.ts';
import { groupOf } from '../../../shared/domain/operator-sessions/operator-groups.ts';
import { pascalCase } from '../pascal-case.ts';
import type { DashboardSettings, Stage } from '../stages.ts';
import type { IdentityClient, OperatorAccess } from './identity-access.ts';

export interface OperatorsStackProps extends StackProps {
  readonly stage: Stage;
  readonly dashboard: DashboardSettings;
  /** The URLs of the dashboard, without a trailing slash. */
  readonly siteUrls: readonly string[];
}

const reasons = {
  COG1: 'Length protects a password; rules about its characters make people choose worse ones.',
  COG3: 'A second factor is required, and administrators create the few users.',
  COG8: 'The plan Essentials has everything that the operators’ pages use.',
};

export class OperatorsStack extends Stack {
  readonly access: OperatorAccess;
  readonly userPool: UserPool;

  constructor(scope: Construct, id: string, { stage, dashboard, siteUrls, ...props }: OperatorsStackProps) {
    super(scope, id, props);
    this.userPool = this.#users(stage);
    for (const role of operatorRoles) {
      new UserPoolGroup(this, `Group${pascalCase(role)}`, { userPool: this.userPool, groupName: groupOf(role) });
    }
    const domain = new UserPoolDomain(this, 'Domain', {
      userPool: this.userPool,
      cognitoDomain: {
        domainPrefix: `${dashboard.loginPrefix ?? `generation-service-${stage.name}-${Aws.ACCOUNT_ID}`}-operators`,
      },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    const issuer = this.userPool.userPoolProviderUrl;
    this.access = {
      issuer,
      keysUrl: `${issuer}/.well-known/jwks.json`,
      url: domain.baseUrl(),
      pages: this.#client(dashboard.clientLabel, siteUrls),
    };
  }

  #users({ isProduction }: Stage): UserPool {
    const userPool = new UserPool(this, 'Users', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      mfa: Mfa.REQUIRED,
      mfaSecondFactor: { otp: true, sms: false },
      passwordPolicy: {
        minLength: 14,
        requireDigits: false,
        requireLowercase: false,
        requireSymbols: false,
        requireUppercase: false,
        tempPasswordValidity: Duration.days(3),
      },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      featurePlan: FeaturePlan.ESSENTIALS,
      deletionProtection: isProduction,
      removalPolicy: isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    for (const [rule, reason] of Object.entries(reasons)) {
      Validations.of(userPool).acknowledge({ id: `AwsSolutions-${rule}`, reason });
    }
    return userPool;
  }

  #client(label: string, siteUrls: readonly string[]): IdentityClient {
    const { completeOperatorLogin, returnToDesk } = operatorLoginRoutes;
    const client = this.userPool.addClient(`Pages-${label}`, {
      // The tokens are discarded, because the service has its own sessions.
      accessTokenValidity: Duration.minutes(5),
      idTokenValidity: Duration.minutes(5),
      refreshTokenValidity: Duration.hours(1),
      enableTokenRevocation: true,
      preventUserExistenceErrors: true,
      generateSecret: true,
      authFlows: { userSrp: true },
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE],
        callbackUrls: siteUrls.map((url) => `${url}${completeOperatorLogin.path}`),
        logoutUrls: siteUrls.map((url) => `${url}${returnToDesk.path}`),
      },
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
    });
    new CfnManagedLoginBranding(this, `Branding-${label}`, {
      userPoolId: this.userPool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
    const secret = new Secret(this, `OperatorsSecret-${label}`, {
      description: 'The secret of the operators’ pages at Cognito',
      secretStringValue: SecretValue.resourceAttribute(
        (client.node.defaultChild as CfnUserPoolClient).attrClientSecret,
      ),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const reason = 'Cognito made it; another client replaces it, which the operators’ guide describes.';
    Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason });
    return { id: client.userPoolClientId, secretArn: secret.secretArn };
  }
}
