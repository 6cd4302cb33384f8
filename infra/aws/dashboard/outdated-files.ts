/** Deletes files of earlier versions of the pages, long after the last version that needs them was replaced. */
import type { AwsClient } from 'aws4fetch';
import * as z from 'zod';
import { dashboardPath } from '../../dashboard-site.ts';

export interface Site {
  readonly bucketUrl: string;
  readonly client: Pick<AwsClient, 'fetch'>;
}

/** The key of the record of outdated files and their dates; it is outside the path that CloudFront serves. */
export const outdatedKey = 'outdated-files.json';

/** The pattern of files whose names are different in each version. */
export const hashedPrefix = `${dashboardPath.slice(1)}/assets/`;

/** How long outdated files are kept for browsers that still show an older page. */
const keptMs = 30 * 24 * 3_600_000;

const Outdated = z.record(z.string(), z.int());

async function ask({ bucketUrl, client }: Site, method: string, path: string, body?: string): Promise<Response> {
  const response = await client.fetch(`${bucketUrl}/${path}`, { method, ...(body !== undefined && { body }) });
  if (!response.ok && response.status !== 404)
    throw new Error(`the bucket responded to ${method} ${path} with ${response.status}`);
  return response;
}

/** The keys of all stored files whose names contain a hash. */
async function storedKeys(site: Site): Promise<string[]> {
  const keys: string[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const query: string = new URLSearchParams({
      'list-type': '2',
      prefix: hashedPrefix,
      'start-after': after,
    }).toString();
    const text = await (await ask(site, 'GET', `?${query}`)).text();
    const found = [...text.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key);
    keys.push(...found);
    after = text.includes('<IsTruncated>true</IsTruncated>') ? found.at(-1) : undefined;
  }
  return keys;
}

async function knownOutdated(site: Site): Promise<z.output<typeof Outdated>> {
  const response = await ask(site, 'GET', outdatedKey);
  return response.status === 404 ? {} : Outdated.parse(await response.json());
}

/**
 * Deletes outdated files. `current` are the keys of the version just published; a file that reappears is no longer
 * outdated.
 */
export async function deleteOutdated(site: Site, current: ReadonlySet<string>, now: number): Promise<void> {
  const [known, stored] = [await knownOutdated(site), await storedKeys(site)];
  const outdated = stored.filter((key) => !current.has(key)).map((key) => [key, known[key] ?? now] as const);
  const isOver = ([, since]: readonly [string, number]): boolean => since <= now - keptMs;
  for (const [key] of outdated.filter(isOver)) await ask(site, 'DELETE', key);
  const kept = Object.fromEntries(outdated.filter((one) => !isOver(one)));
  await ask(site, 'PUT', outdatedKey, JSON.stringify(kept));
}
