/** An account with a connected page at a model of a social network, and the stored copy of its inbox. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectPage } from '../../../shared/domain/piloto/pages/connect-page.ts';
import { connectionStore } from '../../../shared/domain/piloto/pages/connection-store.ts';
import { type WorkNeeds, workOnConnection } from '../../../shared/domain/piloto/pages/work-on-connection.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { secretBoxOf } from '../../../shared/platform/secret-box.ts';
import { settingsOf, settingVariables } from '../../../shared/platform/settings.ts';
import { type ModelNetwork, type ModelPage, modelNetwork, tokenOf } from '../../support/model-network.ts';
import { type RecordedMetrics, recordedMetrics } from '../../support/recorded-metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { type SteppedClock, stillClock } from '../../support/stepped-clock.ts';
import { testIds } from '../../support/test-table.ts';
import { copiedConversations, copiedPosts } from './copied-inbox.ts';

/** A secret box whose key is in a separate file. */
export function testBox() {
  const folder = mkdtempSync(join(tmpdir(), 'secret-box-'));
  const key = join(folder, 'key');
  writeFileSync(key, 'a'.repeat(64));
  return {
    secretBox: secretBoxOf({ settings: settingsOf({ [settingVariables.credentialsKey]: key }) }),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

export interface InboxScene {
  readonly accountId: string;
  readonly id: { readonly accountId: string; readonly channel: 'instagram' };
  readonly page: ModelPage;
  readonly clock: SteppedClock;
  readonly network: ModelNetwork;
  readonly metrics: RecordedMetrics;
  readonly logger: RecordingLogger;
  readonly needs: WorkNeeds;
  /** Works on the connection until nothing more is due. */
  work(needs?: WorkNeeds): Promise<void>;
  connection(): ReturnType<WorkNeeds['connections']['find']>;
}

export async function inboxScene(table: Table, secretBox: WorkNeeds['secretBox']): Promise<InboxScene> {
  const clock = stillClock();
  const network = modelNetwork(() => clock.now());
  const [accountId, pageId] = [testIds.next(), testIds.next()];
  const page = network.addPage(pageId);
  const [metrics, logger] = [recordedMetrics(), new RecordingLogger()];
  const connections = connectionStore(table);
  const inboxQueue = { send: async () => undefined };
  const needs = { clock, connections, inboxQueue, logger, metrics, secretBox, socialNetwork: network, table };
  const id = { accountId, channel: 'instagram' } as const;
  await connectPage(needs, { ...id, network: 'sandbox', accessToken: tokenOf(pageId) });
  const work: InboxScene['work'] = async (by = needs) => {
    for (let round = 0; round < 1000; round += 1) {
      const connection = await connections.find(id);
      if (!connection || connection.dueAt > clock.now()) return;
      await workOnConnection(by, id);
    }
    throw new Error('the work on the connection does not end');
  };
  return { accountId, id, page, clock, network, metrics, logger, needs, work, connection: () => connections.find(id) };
}

const byId = <Entry extends { readonly id: string }>(entries: readonly Entry[]): Entry[] =>
  entries.toSorted((one, other) => (one.id < other.id ? -1 : 1));

/** The copy of an account's inbox, with the network's ids, and the problems of its counts. */
export async function copyOf(table: Table, accountId: string) {
  const conversations = await copiedConversations(table, accountId);
  const posts = await copiedPosts(table, accountId);
  const messages = conversations.found.flatMap(({ conversation, messages: all }) =>
    all.map(({ networkId: id, direction, text }) => ({ id, with: conversation.participant.id, direction, text })),
  );
  const comments = posts.found.flatMap(({ post, comments: all }) =>
    all.map(({ networkId: id, text, hidden, liked }) => ({ id, below: post.networkId, text, hidden, liked })),
  );
  const problems = [...conversations.problems, ...posts.problems];
  return { messages: byId(messages), comments: byId(comments), problems };
}

/** The same data as it is at the social network. */
export function truthOf({ conversations, posts }: ModelPage): Awaited<ReturnType<typeof copyOf>> {
  const messages = [...conversations.values()].flatMap(({ participant, messages: all }) =>
    all.map(({ id, direction, text }) => ({ id, with: participant.id, direction, text })),
  );
  const comments = [...posts.values()].flatMap(({ post, comments: all }) =>
    all.map(({ id, text, hidden, liked }) => ({ id, below: post.id, text, hidden, liked })),
  );
  return { messages: byId(messages), comments: byId(comments), problems: [] };
}
