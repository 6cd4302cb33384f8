/** Creates the inbox of a page for each test of a file, in one table, with changes at the social network. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { NetworkComment, NetworkMessage } from '../../../shared/gateways/social-network.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { type TestTable, testTable } from '../../support/test-table.ts';
import { copyOf, type InboxScene, inboxScene, testBox, truthOf } from './inbox-scene.ts';

export const minute = 60_000;
export const day = 24 * 60 * minute;

export const messageAt = (id: string, createdAt: number): NetworkMessage => ({
  id,
  direction: 'inbound',
  text: `text of ${id}`,
  attachments: [],
  status: 'delivered',
  createdAt,
});

export const commentAt = (postId: string, id: string, createdAt: number): NetworkComment => ({
  id,
  postId,
  parentId: null,
  author: { id: 'visitor', username: 'visitor' },
  isOwn: false,
  text: 'Quanto custa?',
  hidden: false,
  liked: false,
  likeCount: 0,
  createdAt,
});

/** Scenes in one table; registers hooks of the file that calls it. */
export function useInboxScenes() {
  let host: TestTable;
  const { secretBox, remove } = testBox();
  beforeAll(async () => {
    host = await testTable();
  });
  afterAll(async () => {
    await host.close();
    remove();
  });
  return {
    get table(): Table {
      return host.table;
    },
    newScene: (): Promise<InboxScene> => inboxScene(host.table, secretBox),
  };
}

/** The inbox of a page in one table, with a new scene for each test. */
export function useInboxScene() {
  const scenes = useInboxScenes();
  const { newScene } = scenes;
  let scene: InboxScene;
  beforeEach(async () => {
    scene = await newScene();
  });
  const copied = () => copyOf(scenes.table, scene.accountId);
  return {
    get table(): Table {
      return scenes.table;
    },
    /** The scene of the current test. */
    get scene(): InboxScene {
      return scene;
    },
    newScene,
    copied,
    expectTruth: async () => expect(await copied()).toEqual(truthOf(scene.page)),
    /** A conversation with messages of these ages. */
    converse: (person: string, agesMs: readonly number[]): void => {
      const now = scene.clock.now();
      const messages = agesMs.map((age, index) => messageAt(`${person}-${index}`, now - age));
      const participant = { id: person, username: person, name: null, avatarUrl: null };
      scene.page.conversations.set(person, { participant, messages });
    },
    /** A post with comments. */
    publish: (id: string, comments: number): void => {
      const createdAt = scene.clock.now() - minute;
      const post = { id, caption: null, thumbnailUrl: null, permalink: `https://example.com/${id}`, createdAt };
      const written = Array.from({ length: comments }, (_, index) =>
        commentAt(id, `${id}-${index}`, createdAt + index),
      );
      scene.page.posts.set(id, { post, comments: written });
    },
  };
}
