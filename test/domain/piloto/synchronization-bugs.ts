/** Bugs of synchronizations, planted into the table or the network that they use. */
import type { WorkNeeds } from '../../../shared/domain/piloto/pages/work-on-connection.ts';
import { NetworkFault } from '../../../shared/gateways/social-network.ts';
import type { Action, Table } from '../../../shared/platform/dynamo-table.ts';

/** How the processes that synchronize are wrong. */
export type Plant = (needs: WorkNeeds) => WorkNeeds;

const removes = (prefix: string) => (action: Action) =>
  action.Put?.Item?.removedAt !== undefined && String(action.Put.Item.sk).startsWith(prefix);

/** Removals are not written. */
const keeping =
  (prefix: string): Plant =>
  (needs) => {
    const { table } = needs;
    const transact: Table['transact'] = async (actions) => {
      if (!actions.some(removes(prefix))) await table.transact(actions);
    };
    return { ...needs, table: { ...table, transact } };
  };

/** The network's refusal to go on with a list counts as its end. */
const endingRefused: Plant = (needs) => ({
  ...needs,
  socialNetwork: {
    ...needs.socialNetwork,
    conversations: (...given) =>
      needs.socialNetwork.conversations(...given).catch((error: unknown) => {
        if (error instanceof NetworkFault && error.reason === 'rejected') return { items: [], unreadable: [] };
        throw error;
      }),
  },
});

const mixingCursors: Plant = (needs) => {
  const { socialNetwork } = needs;
  let last: string | undefined;
  return {
    ...needs,
    socialNetwork: {
      ...socialNetwork,
      async conversations(access, cursor) {
        last = cursor ?? last;
        return socialNetwork.conversations(access, cursor);
      },
      posts: (access, cursor = last) => socialNetwork.posts(access, cursor),
    },
  };
};

export const synchronizationBugs: Readonly<Record<string, Plant>> = {
  'posts are requested with the cursor of conversations': mixingCursors,
  'the unread rest of a list counts as removed': endingRefused,
  'removed messages stay in the copy': keeping('MESSAGE#'),
  'removed comments stay in the copy': keeping('COMMENT#'),
  'removed items never come back': (needs) => {
    const { table } = needs;
    const getMany: Table['getMany'] = async (keys) =>
      (await table.getMany(keys)).map((item) => (item.removedAt === undefined ? item : { ...item, removedAt: 1e15 }));
    return { ...needs, table: { ...table, getMany } };
  },
  'listed conversations count as removed': (needs) => ({
    ...needs,
    socialNetwork: { ...needs.socialNetwork, messages: async () => ({ items: [], unreadable: [] }) },
  }),
  'only the first part of a conversation is read': (needs) => ({
    ...needs,
    socialNetwork: {
      ...needs.socialNetwork,
      async messages(...given) {
        const { next: _ignored, ...part } = await needs.socialNetwork.messages(...given);
        return part;
      },
    },
  }),
};
