/** How functions access the identity providers, each with only the permissions and secrets that it needs. */
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Permission } from '../permission.ts';

/** A client of the user pool, and the secret that contains the client's secret. */
export interface IdentityClient {
  readonly id: string;
  readonly secretArn: string;
}

/** Access to the log-in pages of operators. */
export interface OperatorAccess {
  readonly issuer: string;
  readonly keysUrl: string;
  /** The URL of the log-in pages, without a trailing slash. */
  readonly url: string;
  readonly pages: IdentityClient;
}

export interface IdentityAccess extends OperatorAccess {
  readonly userPoolArn: string;
  /** The endpoint of Cognito's own API, if it is not at AWS. */
  readonly endpoint?: string;
  /** The client that can only check passwords. */
  readonly passwords: IdentityClient;
}

/**
 * `visit`: redirects browsers to the log-in pages. `redeemCodes`: exchanges the codes with which they return.
 * `checkPasswords` and `lookUpUsers`: query users whom the function already knows. `deleteUsers`: deletes those of erased
 * accounts.
 */
export type IdentityUse = 'visit' | 'redeemCodes' | 'checkPasswords' | 'lookUpUsers' | 'deleteUsers';

const allowing = (action: string, resource: string): PolicyStatement =>
  new PolicyStatement({ actions: [action], resources: [resource] });

const reading = ({ secretArn }: IdentityClient): PolicyStatement =>
  allowing('secretsmanager:GetSecretValue', secretArn);

/** The environment variable that the AWS SDK also reads. */
const endpointVariable = ({ endpoint }: IdentityAccess): Pick<Permission, 'variables'> =>
  endpoint ? { variables: { AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: endpoint } } : {};

/** Calls of the pool itself, which the function knows by its issuer. */
const callingPool =
  (action: string) =>
  (access: IdentityAccess): Permission => ({
    statements: [allowing(action, access.userPoolArn)],
    settings: { identityIssuer: access.issuer },
    ...endpointVariable(access),
  });

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
  lookUpUsers: callingPool('cognito-idp:AdminGetUser'),
  deleteUsers: callingPool('cognito-idp:AdminDeleteUser'),
};

export const allowIdentity = (access: IdentityAccess, use: IdentityUse): Permission => uses[use](access);

/** Like `visit` and `redeemCodes`, but at the operators' own provider. */
export type OperatorIdentityUse = 'visit' | 'redeemCodes';

const operatorUses: Readonly<Record<OperatorIdentityUse, (access: OperatorAccess) => Permission>> = {
  visit: ({ pages, url }) => ({ settings: { operatorIdentityUrl: url, operatorIdentityClient: pages.id } }),
  redeemCodes: ({ issuer, keysUrl, pages }) => ({
    statements: [reading(pages)],
    settings: {
      operatorIdentityIssuer: issuer,
      operatorIdentityKeysUrl: keysUrl,
      operatorIdentityClientSecret: pages.secretArn,
    },
  }),
};

export const allowOperatorIdentity = (access: OperatorAccess, use: OperatorIdentityUse): Permission =>
  operatorUses[use](access);
