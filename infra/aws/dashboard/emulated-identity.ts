/** The identity provider of an emulated stage: a local one that replaces Cognito. */
import { localIssuer } from '../../local/identity/local-issuer.ts';
import { emulatedAccount } from '../stages.ts';
import type { IdentityAccess, IdentityClient, OperatorAccess } from './identity-access.ts';

export const localClients = ['pages', 'passwords', 'operators'] as const;

type LocalClient = (typeof localClients)[number];

/** The name of the secret that `npm run deploy:local` creates. */
export const identitySecretName = (stage: string, client: LocalClient): string =>
  `generation-service/${stage}/identity/${client}`;

const arn = (service: string, resource: string): string =>
  `arn:aws:${service}:us-east-1:${emulatedAccount}:${resource}`;

const clientOf = (stage: string, name: LocalClient): IdentityClient => ({
  id: `local-${name}`,
  secretArn: arn('secretsmanager', `secret:${identitySecretName(stage, name)}`),
});

/** The operators of an emulated stage are users of the same provider, who log in to another client. */
export const emulatedOperators = (stage: string, url: string): OperatorAccess => ({
  issuer: localIssuer,
  keysUrl: `${url}/.well-known/jwks.json`,
  url,
  pages: clientOf(stage, 'operators'),
});

export function emulatedIdentity(stage: string, url: string): IdentityAccess {
  return {
    issuer: localIssuer,
    keysUrl: `${url}/.well-known/jwks.json`,
    url,
    userPoolArn: arn('cognito-idp', 'userpool/local'),
    endpoint: url,
    pages: clientOf(stage, 'pages'),
    passwords: clientOf(stage, 'passwords'),
  };
}
