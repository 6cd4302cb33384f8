/** Gets tokens of pages from the sandbox of social networks. */
import * as z from 'zod';
import { channels } from '../../shared/contracts/channels.ts';
import { secretsManager } from '../../shared/platform/secrets.ts';
import { commandFailed } from './exit-error.ts';
import type { Service } from './service.ts';

const Pages = z.object({ pages: z.array(z.object({ channel: z.enum(channels), accessToken: z.string() })) });

/** The tokens of an account's pages in the sandbox, which creates the pages if necessary. @throws {ExitError} */
export async function sandboxTokens(service: Pick<Service, 'clock' | 'settings'>, accountId: string) {
  const { metaSandboxUrl, metaInstagramSecrets } = service.settings;
  if (metaSandboxUrl === 'none') throw commandFailed('The service has no sandbox of social networks.');
  const secrets = await secretsManager(service).read(metaInstagramSecrets);
  const response = await fetch(`${metaSandboxUrl}/sandbox/pages`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secrets.split(',')[0]}` },
    body: new URLSearchParams({ owner: accountId }),
  });
  if (response.status !== 200)
    throw commandFailed(`The sandbox of social networks responded with ${response.status}: nothing was connected.`);
  return Pages.parse(await response.json()).pages;
}
