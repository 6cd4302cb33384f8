/** How functions get to the identity provider, each with the permissions and the secrets of what it does there. */
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Permission } from '../permission.ts';

/** A client of the user pool, and the secret with its own. */
export interface IdentityClient {
  readonly id: string;
  readonly secretArn: string;
}

export interface IdentityAccess {
  readonly issuer: string;
  readonly keysUrl: string;
  /** The log-in pages, without a trailing slash. */
  readonly url: string;
  readonly userPoolArn: string;
  /** Where Cognito's own API is, if not at AWS. */
  readonly endpoint?: string;
  /** The client of the log-in pages, and the one that can only check passwords. */
  readonly pages: IdentityClient;
  readonly passwords: IdentityClient;
}

/**
 * `visit` sends browsers to the log-in pages, `redeemCodes` learns who comes back from there, and `checkPasswords` and
 * `lookUpUsers` ask about a user whom the function knows.
 */
export type IdentityUse = 'visit' | 'redeemCodes' | 'checkPasswords' | 'lookUpUsers';

const allowing = (action: string, resource: string): PolicyStatement =>
  new PolicyStatement({ actions: [action], resources: [resource] });

const reading = ({ secretArn }: IdentityClient): PolicyStatement =>
  allowing('secretsmanager:GetSecretValue', secretArn);

/** As the AWS SDK calls it too. */
const endpointVariable = ({ endpoint }: IdentityAccess): Pick<Permission, 'variables'> =>
  endpoint ? { variables: { AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: endpoint } } : {};

const uses: Readonly<Record<IdentityUse, (access: IdentityAccess) => Permission>> = {
  visit: ({ pages, url }) => ({ settings: { identityUrl: url, identityClient: pages.id } }),
  redeemCodes: ({ issuer, keysUrl, pages }) => ({
    statements: [reading(pages)],
    settings: { identityIssuer: issuer, identityKeysUrl: keysUrl, identityClientSecret: pages.secretArn },
  }),
  checkPasswords: (access) => ({
    statements: [reading(access.passwords), allowing('cognito-idp:AdminInitiateAuth', access.userPoolArn)],
    settings: {
      identityIssuer: access.issuer,
      identityKeysUrl: access.keysUrl,
      passwordClient: access.passwords.id,
      passwordClientSecret: access.passwords.secretArn,
    },
    ...endpointVariable(access),
  }),
  lookUpUsers: (access) => ({
    statements: [allowing('cognito-idp:AdminGetUser', access.userPoolArn)],
    settings: { identityIssuer: access.issuer },
    ...endpointVariable(access),
  }),
};

export const allowIdentity = (access: IdentityAccess, use: IdentityUse): Permission => uses[use](access);
