/** Selects the identity provider of this service. */
import { loginRoutes } from '../contracts/login.ts';
import type { Clock } from '../platform/clock.ts';
import { idTokens } from '../platform/id-tokens.ts';
import { secretsManager } from '../platform/secrets.ts';
import type { Settings } from '../platform/settings.ts';
import { userPool } from '../platform/user-pool.ts';
import { type CognitoAccess, cognito } from './cognito/cognito.ts';
import type { Identity } from './identity.ts';

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
