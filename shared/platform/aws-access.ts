/** How AWS clients reach their services: as configured in the environment, or by the SDK's defaults. */
import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';

type Environment = Readonly<Record<string, string | undefined>>;

/** The services whose endpoints can be configured, by the names that the SDK uses. */
export type AwsService =
  | 'BEDROCK_RUNTIME'
  | 'COGNITO_IDENTITY_PROVIDER'
  | 'DYNAMODB'
  | 'KMS'
  | 'MEDIACONVERT'
  | 'S3'
  | 'SECRETS_MANAGER'
  | 'SFN'
  | 'SQS'
  | 'TRANSCRIBE';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface AwsAccess {
  readonly region?: string;
  readonly credentials?: AwsCredentials;
  readonly endpoint?: string;
  /** A request handler that replaces the network in warm-ups and tests. */
  readonly requestHandler?: { readonly httpAgent: HttpAgent; readonly httpsAgent: HttpsAgent };
}

/** Reads a service's access from the environment; for unset values, the SDK's defaults apply. */
export function awsAccess(environment: Environment, service: AwsService): AwsAccess {
  const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
  const endpoint = environment[`AWS_ENDPOINT_URL_${service}`] ?? environment.AWS_ENDPOINT_URL;
  return {
    ...(AWS_REGION && { region: AWS_REGION }),
    ...(AWS_ACCESS_KEY_ID &&
      AWS_SECRET_ACCESS_KEY && {
        credentials: {
          accessKeyId: AWS_ACCESS_KEY_ID,
          secretAccessKey: AWS_SECRET_ACCESS_KEY,
          ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
        },
      }),
    ...(endpoint && { endpoint }),
  };
}
