/** Opens objects in the service's buckets by HTTP, in the same way as clients' URLs, without the S3 client. */
import { AwsV4Signer } from 'aws4fetch';
import type { AwsAccess } from './aws-access.ts';
import { type OutboundRequest, type OutboundStream, safeOpen } from './safe-fetch.ts';
import type { Settings } from './settings.ts';

export interface ObjectPlace {
  readonly bucket: 'inputs' | 'results';
  /** The object's key, which may contain letters, digits, hyphens, dots and slashes. */
  readonly key: string;
}

export interface StoredObjects {
  /** A presigned URL that lets anyone read the object for a limited time. */
  addressOf(place: ObjectPlace, forSeconds: number): Promise<string>;
  /** Opens the object: the storage's response has status 404 if it does not exist. */
  open(place: ObjectPlace, request: OutboundRequest): Promise<OutboundStream>;
}

/** How long a presigned URL is valid: the request begins at once, but clocks may differ. */
const openSeconds = 300;

async function presigned(aws: AwsAccess, path: string, forSeconds: number): Promise<string> {
  const { credentials, endpoint, region = '' } = aws;
  if (!credentials) throw new Error('the environment has no credentials');
  const url = new URL(path, endpoint ?? `https://s3.${region}.amazonaws.com`);
  url.searchParams.set('X-Amz-Expires', String(forSeconds));
  const signer = new AwsV4Signer({ url: url.href, service: 's3', region, ...credentials, signQuery: true });
  return (await signer.sign()).url.href;
}

export function storedObjects({ settings }: { readonly settings: Settings }): StoredObjects {
  const aws = settings.aws('S3');
  // The URL is the service's own, so it may be on this machine only if a local substitute for S3 is configured.
  const open = safeOpen({ policy: aws.endpoint === undefined ? 'public' : 'local' });
  const addressOf: StoredObjects['addressOf'] = ({ bucket, key }, forSeconds) =>
    presigned(aws, `/${bucket === 'inputs' ? settings.inputsBucket : settings.resultsBucket}/${key}`, forSeconds);
  return {
    addressOf,
    open: async (place, request) => open(await addressOf(place, openSeconds), { ...request, maxRedirects: 0 }),
  };
}
