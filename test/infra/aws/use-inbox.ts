/** Uses the permissions for connected pages: their events, synchronizations and withdrawals of consent. */
import { conversationKey, inboxIdOf } from '../../../shared/domain/inbox-keys.ts';
import { belongingOf } from '../../../shared/domain/piloto/pages/connection.ts';
import { connectPages, withdraw, withdrawal } from '../../support/connected-pages.ts';
import { eventually } from '../../support/eventually.ts';
import type { TestService } from '../../support/test-service.ts';
import { useConnections } from './use-connections.ts';

const minute = 60_000;

type Connected = Awaited<ReturnType<typeof connectPages>>;

/** Events of a conversation that cannot be read wait in the queue. */
async function failOnce({ service }: TestService, accountId: string, { pages: [page] }: Connected): Promise<void> {
  const { table } = service.context;
  const { world } = service.social;
  if (!page) throw new Error('no page is connected');
  const person = world.addPerson(page, 'Rui Sá');
  const id = inboxIdOf({ channel: page.channel, pageId: page.id }, person.id);
  const key = conversationKey(accountId, id);
  await table.put({ Item: { ...key, channel: page.channel } });
  world.write(person, 'Oi?');
  await service.social.sent();
  await table.transact([{ Delete: { Key: key } }]);
  await eventually('the event from the queue', () => table.get(key));
}

async function writeAndUnsend({ service: { social } }: TestService, { pages }: Connected): Promise<void> {
  for (const page of pages) {
    const person = social.world.addPerson(page, 'Nina Prado');
    social.world.write(person, 'Bom dia');
    await social.sent();
    social.world.send(person, 'Olá!');
    const message = social.world.write(person, 'Outra coisa');
    // Each event is awaited, because events sent at the same moment may overtake each other.
    await social.sent();
    social.world.unsend(message);
    await social.sent();
    const [post] = social.world.posts(page);
    if (post) social.world.addComment(post, person.id, 'Lindo!');
    await social.sent();
  }
}

/** If the social network accepts a page's token again, the page requests its own synchronization. */
async function recover(host: TestService, accountId: string, { needs }: Connected): Promise<void> {
  const [connection] = await needs.connections.of(accountId);
  if (!connection) throw new Error('no page is connected');
  const { accountId: _same, ...id } = { ...connection };
  const dueAt = host.clock.now();
  await needs.connections.save({ ...id, accountId, state: 'revoked', syncedAt: undefined, dueAt });
  await host.service.invoke('scheduleInboxSyncs', {});
  await eventually('the recovered connection', async () => {
    const found = await needs.connections.find(connection);
    return found?.syncedAt === undefined ? undefined : found;
  });
}

/** A token that is old enough is renewed. */
async function renew(host: TestService, { needs, connections, pages }: Connected): Promise<void> {
  const page = pages.find(({ channel }) => channel === 'instagram');
  const { accountId } = connections[0] ?? {};
  const connection = accountId && (await needs.connections.find({ accountId, channel: 'instagram' }));
  if (!page || !connection) throw new Error('no page of Instagram is connected');
  const old = host.service.social.world.grant(page, host.clock.now() - 2 * 24 * 60 * minute);
  const sealedToken = await needs.secretBox.seal(old, belongingOf(connection));
  const due = { renewTokenAt: host.clock.now(), dueAt: host.clock.now() };
  await needs.connections.save({ ...connection, sealedToken, ...due, leasedUntil: undefined });
  await host.service.invoke('scheduleInboxSyncs', {});
  await eventually(
    'the renewed token',
    async () => (await needs.connections.find(connection))?.tokenExpiresAt ?? undefined,
  );
}

export async function useInbox(host: TestService, accountId: string): Promise<void> {
  const connected = await connectPages(host, accountId);
  await writeAndUnsend(host, connected);
  await failOnce(host, accountId, connected);
  await recover(host, accountId, connected);
  await renew(host, connected);
  const secret = host.service.context.settings.metaInstagramSecrets;
  const pages = connected.pages.filter(({ channel }) => channel === 'instagram');
  for (const page of pages) {
    const response = await withdraw(host.url, 'data-deletion', withdrawal(secret, page));
    await fetch(((await response.json()) as { url: string }).url);
  }
  host.clock.advance(3 * minute);
  await host.service.invoke('scheduleInboxSyncs', {});
  await eventually('the erased connection', async () => {
    const left = await connected.needs.connections.of(accountId);
    return left.length === 1 ? left : undefined;
  });
  await useConnections(host);
}
