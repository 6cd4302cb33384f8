/** Selects the identity providers of this service: that of account owners, and that of operators. */
import { loginRoutes } from '../contracts/login.ts';
import { operatorLoginRoutes } from '../contracts/operate-login.ts';
import type { Clock } from '../platform/clock.ts';
import { idTokens } from '../platform/id-tokens.ts';
import { secretsManager } from '../platform/secrets.ts';
import type { Settings } from '../platform/settings.ts';
import { userPool } from '../platform/user-pool.ts';
import { type CognitoAccess, cognito, cognitoPages } from './cognito/cognito.ts';
import type { Identity, IdentityUsers, OperatorIdentity } from './identity.ts';

interface Source {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: CognitoAccess['logger'];
}

export function identityProvider(source: Source): Identity {
  const { settings, clock, logger } = source;
  const secrets = secretsManager(source);
  const issuer = () => settings.identityIssuer;
  return cognito({
    url: () => settings.identityUrl,
    userPoolId: () => issuer().split('/').at(-1) ?? '',
    pages: { id: () => settings.identityClient, secret: () => secrets.read(settings.identityClientSecret) },
    passwords: { id: () => settings.passwordClient, secret: () => secrets.read(settings.passwordClientSecret) },
    callbackUrl: () => `${settings.dashboardUrl}${loginRoutes.completeLogin.path}`,
    homeUrl: () => `${settings.dashboardUrl}${loginRoutes.returnHome.path}`,
    clock,
    verify: idTokens({ issuer, keysUrl: () => settings.identityKeysUrl, clock }),
    call: userPool(settings.aws('COGNITO_IDENTITY_PROVIDER')),
    logger,
  });
}

/** The users of the identity provider; a stage without a dashboard has none. */
export const identityUsers = (source: Source): IdentityUsers =>
  source.settings.dashboardUrl === 'none' ? { deleteUser: async () => undefined } : identityProvider(source);

export function operatorIdentityProvider(source: Pick<Source, 'settings' | 'clock'>): OperatorIdentity {
  const { settings, clock } = source;
  const secrets = secretsManager(source);
  const { completeOperatorLogin, returnToDesk } = operatorLoginRoutes;
  return cognitoPages({
    url: () => settings.operatorIdentityUrl,
    pages: {
      id: () => settings.operatorIdentityClient,
      secret: () => secrets.read(settings.operatorIdentityClientSecret),
    },
    callbackUrl: () => `${settings.dashboardUrl}${completeOperatorLogin.path}`,
    homeUrl: () => `${settings.dashboardUrl}${returnToDesk.path}`,
    clock,
    verify: idTokens({
      issuer: () => settings.operatorIdentityIssuer,
      keysUrl: () => settings.operatorIdentityKeysUrl,
      clock,
    }),
  });
}
