/** Calls Cognito's JSON API with signed requests, instead of a client with a hundred other operations. */
import { AwsClient } from 'aws4fetch';
import type { AwsAccess } from './aws-access.ts';
import { collectBytes } from './limit-bytes.ts';

export interface UserPoolResponse {
  readonly status: number;
  /** The name of the error, such as NotAuthorizedException. */
  readonly fault: string | undefined;
  readonly body: unknown;
}

export type CallUserPool = (operation: string, request: Readonly<Record<string, unknown>>) => Promise<UserPoolResponse>;

const patienceMs = 5000;
const maxBytes = 256 * 1024;

const faultOf = (body: unknown): string | undefined => {
  const { __type: type } = Object(body) as { readonly __type?: unknown };
  return typeof type === 'string' ? type.split('#').at(-1) : undefined;
};

/**
 * Creates the function that calls the API.
 * @throws {Error} that quotes neither the request nor the response, which both contain secrets
 */
export function userPool({ region = 'us-east-1', credentials, endpoint }: AwsAccess): CallUserPool {
  const client = new AwsClient({ accessKeyId: '', secretAccessKey: '', ...credentials, region, retries: 0 });
  const url = endpoint ?? `https://cognito-idp.${region}.amazonaws.com`;
  return async (operation, request) => {
    const unavailable = () => new Error(`the user pool did not respond to ${operation}`);
    const response = await client
      .fetch(`${url}/`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/x-amz-json-1.1',
          'X-Amz-Target': `AWSCognitoIdentityProviderService.${operation}`,
        },
        body: JSON.stringify(request),
        redirect: 'error',
        signal: AbortSignal.timeout(patienceMs),
        aws: { service: 'cognito-idp' },
      })
      .catch(() => {
        throw unavailable();
      });
    try {
      const text = (await collectBytes(response.body ?? [], maxBytes)).toString('utf8');
      const body: unknown = text === '' ? {} : JSON.parse(text);
      return { status: response.status, fault: faultOf(body), body };
    } catch {
      throw unavailable();
    }
  };
}
