/** The operations of Cognito's own API that check passwords and look up or change users. */
import { createHmac, randomUUID } from 'node:crypto';
import type { LocalUser, LocalUsers } from './local-users.ts';

export interface UserPoolOptions {
  readonly userPoolId: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly users: LocalUsers;
  /** Signs an ID token of the user for the client. */
  readonly sign: (user: LocalUser, clientId: string) => Promise<string>;
}

interface ApiResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

type Request = Readonly<Record<string, unknown>>;

export interface UserPoolApi {
  respond(operation: string, request: Request): Promise<ApiResponse>;
  /** The refresh tokens that were issued and not revoked. */
  readonly refreshTokens: ReadonlySet<string>;
  /** How many passwords were checked. */
  readonly checked: () => number;
}

const fault = (type: string, message: string): ApiResponse => ({ status: 400, body: { __type: type, message } });

/** The operations by which operators change users. */
const changes: Readonly<Record<string, (user: LocalUser, request: Request, users: LocalUsers) => void>> = {
  AdminDeleteUser: (user, _request, users) => users.remove(user),
  AdminDisableUser(user) {
    user.isEnabled = false;
  },
  AdminEnableUser(user) {
    user.isEnabled = true;
  },
  AdminSetUserMFAPreference(user, { SoftwareTokenMfaSettings }) {
    user.hasSecondFactor = Object(SoftwareTokenMfaSettings).Enabled === true;
  },
};

function change(users: LocalUsers, operation: string, request: Request): ApiResponse | undefined {
  const to = Object.hasOwn(changes, operation) ? changes[operation] : undefined;
  const user = users.findByName(String(request.Username));
  if (!user) return to && fault('UserNotFoundException', 'User does not exist.');
  to?.(user, request, users);
  return to && { status: 200, body: {} };
}

export function userPoolApi({ userPoolId, client, users, sign }: UserPoolOptions): UserPoolApi {
  const refreshTokens = new Set<string>();
  let checked = 0;

  async function authenticate({ AuthFlow, AuthParameters, ClientId }: Request): Promise<ApiResponse> {
    const { USERNAME = '', PASSWORD = '', SECRET_HASH } = Object(AuthParameters) as Record<string, string>;
    const expected = createHmac('sha256', client.secret).update(`${USERNAME}${client.id}`).digest('base64');
    if (AuthFlow !== 'ADMIN_USER_PASSWORD_AUTH') return fault('InvalidParameterException', 'Unknown flow.');
    if (ClientId !== client.id || SECRET_HASH !== expected)
      return fault('NotAuthorizedException', 'Unable to verify secret hash for client.');
    checked += 1;
    const user = users.withPassword(USERNAME, PASSWORD);
    if (!user?.isEnabled) return fault('NotAuthorizedException', 'Incorrect username or password.');
    if (user.hasSecondFactor)
      return { status: 200, body: { ChallengeName: 'SOFTWARE_TOKEN_MFA', Session: randomUUID() } };
    const RefreshToken = randomUUID();
    refreshTokens.add(RefreshToken);
    const IdToken = await sign(user, client.id);
    const AuthenticationResult = { IdToken, RefreshToken, ExpiresIn: 3600, TokenType: 'Bearer' };
    return { status: 200, body: { AuthenticationResult, ChallengeParameters: {} } };
  }

  function revoke({ ClientId, ClientSecret, Token }: Request): ApiResponse {
    if (ClientId !== client.id || ClientSecret !== client.secret)
      return fault('UnauthorizedException', 'The client is not authorized.');
    refreshTokens.delete(String(Token));
    return { status: 200, body: {} };
  }

  function find({ Username }: Request): ApiResponse {
    const user = users.findByName(String(Username));
    if (!user) return fault('UserNotFoundException', 'User does not exist.');
    const UserAttributes = [{ Name: 'sub', Value: user.subject }];
    return { status: 200, body: { Username: user.username, Enabled: user.isEnabled, UserAttributes } };
  }

  return {
    refreshTokens,
    checked: () => checked,
    async respond(operation, request) {
      if (operation === 'RevokeToken') return revoke(request);
      if (request.UserPoolId !== userPoolId) return fault('ResourceNotFoundException', 'There is no such user pool.');
      if (operation === 'AdminInitiateAuth') return authenticate(request);
      if (operation === 'AdminGetUser') return find(request);
      const changed = change(users, operation, request);
      return changed ?? fault('UnknownOperationException', `The local identity provider has no ${operation}.`);
    },
  };
}
