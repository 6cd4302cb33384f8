/** Opens objects of the service's buckets as what users' URLs lead to is opened, without the storage's own client. */
import { AwsV4Signer } from 'aws4fetch';
import type { AwsAccess } from './aws-access.ts';
import { type OutboundRequest, type OutboundStream, safeOpen } from './safe-fetch.ts';
import type { Settings } from './settings.ts';

export interface ObjectPlace {
  readonly bucket: 'inputs' | 'results';
  /** Letters, digits, hyphens, dots and slashes. */
  readonly key: string;
}

export interface StoredObjects {
  /** A URL with which anybody can read the object for a limited time. */
  addressOf(place: ObjectPlace, forSeconds: number): Promise<string>;
  /** The response of the storage: 404 if there is no such object. */
  open(place: ObjectPlace, request: OutboundRequest): Promise<OutboundStream>;
}

/** A request begins at once; clocks may differ. */
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
  // The address is the service's own: only a configured substitute of S3 is on this machine.
  const open = safeOpen({ policy: aws.endpoint === undefined ? 'public' : 'local' });
  const addressOf: StoredObjects['addressOf'] = ({ bucket, key }, forSeconds) =>
    presigned(aws, `/${bucket === 'inputs' ? settings.inputsBucket : settings.resultsBucket}/${key}`, forSeconds);
  return {
    addressOf,
    open: async (place, request) => open(await addressOf(place, openSeconds), { ...request, maxRedirects: 0 }),
  };
}
