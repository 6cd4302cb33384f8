/** Runs in Lambda during a deployment: copies the packaged pages to the bucket that CloudFront serves. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import { systemClock } from '../../../shared/platform/clock.ts';
import { cacheControlOf, contentTypes, dashboardPath } from '../../dashboard-site.ts';
import { deleteOutdated, type Site } from './outdated-files.ts';

export interface Publication extends Site {
  /** The folder with the pages. */
  readonly folder: string;
  /** The current time in milliseconds. */
  readonly now: number;
}

/** Sorts pages last, so that the files that a page refers to exist before the page does. */
const pagesLast = (one: string, other: string): number =>
  Number(one.endsWith('.html')) - Number(other.endsWith('.html')) || (one < other ? -1 : 1);

/** Publishes the files and returns their number. Files of earlier pages are kept for a while. */
export async function publishSite({ folder, bucketUrl, client, now }: Publication): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => join(parentPath, name));
  const files = paths.map((path) => path.slice(folder.length + 1)).toSorted(pagesLast);
  for (const file of files) {
    const { status } = await client.fetch(`${bucketUrl}${dashboardPath}/${file}`, {
      method: 'PUT',
      headers: {
        'Content-Type': contentTypes[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
        'Cache-Control': cacheControlOf(file),
      },
      body: await readFile(join(folder, file)),
    });
    if (status !== 200) throw new Error(`the bucket responded to ${file} with ${status}`);
  }
  const current = files.map((file) => `${dashboardPath.slice(1)}/${file}`);
  await deleteOutdated({ bucketUrl, client }, new Set(current), now);
  return files.length;
}

/** The folder with the pages, next to this program in the package. */
export const pagesFolder = 'pages';

/** The environment variable with the bucket's name. */
export const bucketVariable = 'SITE_BUCKET';

export async function handler(): Promise<{ readonly files: number }> {
  const {
    [bucketVariable]: bucket = '',
    AWS_REGION: region = '',
    AWS_ACCESS_KEY_ID: accessKeyId = '',
    AWS_SECRET_ACCESS_KEY: secretAccessKey = '',
    AWS_SESSION_TOKEN: sessionToken,
    AWS_ENDPOINT_URL: endpoint,
  } = process.env;
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken && { sessionToken }),
    region,
    service: 's3',
  });
  const bucketUrl = endpoint ? `${endpoint}/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`;
  return {
    files: await publishSite({
      folder: join(import.meta.dirname, pagesFolder),
      bucketUrl,
      client,
      now: systemClock.now(),
    }),
  };
}
