/** The sandbox, used as the documented Graph API, and the adapter connected to a shop in it. */
import { afterAll, beforeAll } from 'vitest';
import { type MetaFake, type MetaFakeOptions, startMetaFake } from '../../../fakes/meta/meta-fake.ts';
import type { Person, SandboxPage } from '../../../fakes/meta/meta-records.ts';
import type { Channel } from '../../../shared/contracts/channels.ts';
import { hostsOf } from '../../../shared/gateways/meta/meta-hosts.ts';
import { type MetaAccess, metaNetwork } from '../../../shared/gateways/meta/meta-network.ts';
import type { NetworkFault, Page, PageAccess, SocialNetwork } from '../../../shared/gateways/social-network.ts';
import { type Clock, systemClock } from '../../../shared/platform/clock.ts';

export const appSecret = 'the-secret-of-the-app';

export const startSandbox = (given: Partial<MetaFakeOptions> = {}): Promise<MetaFake> =>
  startMetaFake({ appSecret, eventsUrl: 'http://127.0.0.1:9/inbound', lateMs: 1, ...given });

export const networkOn = (
  url: string,
  given: {
    readonly clock?: Clock;
    readonly timeLimitMs?: number;
    readonly facebookApp?: MetaAccess['facebookApp'];
  } = {},
): SocialNetwork =>
  metaNetwork({
    url: (page) => hostsOf(page, url).graph,
    version: () => 'v24.0',
    appSecrets: async () => [appSecret],
    facebookApp: async () => ({ id: 'the-app', secret: appSecret }),
    clock: systemClock,
    ...given,
  });

/** A sandbox for the tests of a file, and the adapter to it. */
export function useSandbox(): { readonly sandbox: MetaFake; readonly network: SocialNetwork } {
  let sandbox: MetaFake;
  let network: SocialNetwork;
  beforeAll(async () => {
    sandbox = await startSandbox();
    network = networkOn(sandbox.url);
  });
  afterAll(() => sandbox.close());
  return {
    get sandbox() {
      return sandbox;
    },
    get network() {
      return network;
    },
  };
}

export interface ConnectedShop {
  readonly access: PageAccess;
  readonly page: SandboxPage;
  /** The person who wrote first when the shop was created. */
  readonly person: Person;
  readonly postId: string;
}

/** Each owner has separate pages. */
export function connectedShop({ world }: MetaFake, channel: Channel, owner: string): ConnectedShop {
  const page = world.shopOf(owner).find((one) => one.channel === channel);
  const [person, post] = [page && world.people(page)[0], page && world.posts(page)[0]];
  if (!page || !person || !post) throw new Error('the shop is incomplete');
  const accessToken = world.grant(page);
  return { access: { channel, network: 'sandbox', pageId: page.id, accessToken }, page, person, postId: post.id };
}

/** The reason of the fault with which a call fails. */
export const faultIn = (work: Promise<unknown>): Promise<Pick<NetworkFault, 'reason' | 'retryAfterSeconds'>> =>
  work.then(
    () => Promise.reject(new Error('it did not fail')),
    ({ name, reason, retryAfterSeconds }: NetworkFault) => ({ name, reason, retryAfterSeconds }),
  );

/** All entries of a list that is read page by page. */
export async function everything<Item>(read: (cursor?: string) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let page = await read();
  for (items.push(...page.items); page.next !== undefined; items.push(...page.items)) page = await read(page.next);
  return items;
}

export const numbered = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word} ${index}`);
