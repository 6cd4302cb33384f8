/** Fetches the profiles of participants, which social networks return only for one participant at a time. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { PageAccess, Participant, SocialNetwork } from '../../../gateways/social-network.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Table } from '../../../platform/dynamo-table.ts';
import type { Queue } from '../../../platform/queue.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import { inboxIdOf } from '../../inbox-keys.ts';
import { isNetworkFault } from '../network-fault.ts';
import { accessOf } from '../pages/connect-page.ts';
import type { Connection } from '../pages/connection.ts';
import type { ConnectionStore } from '../pages/connection-store.ts';
import { isPermanentFault } from '../synchronization/copy-listed.ts';
import { writeUnlessChanged } from '../write-unless-changed.ts';
import type { Conversation, OwnedPage } from './conversation.ts';
import { conversationStore, saveConversation } from './conversation-store.ts';

interface ProfileNeeds {
  readonly clock: Clock;
  readonly connections: ConnectionStore;
  readonly logger: Pick<Logger, 'warn'>;
  readonly secretBox: SecretBox;
  readonly socialNetwork: SocialNetwork;
  readonly table: Table;
}

type RequestNeeds = Pick<ProfileNeeds, 'logger' | 'table'> & { readonly inboxQueue: Queue };

/** How long a profile is used before it is fetched again: social networks serve a picture's URL for a few days. */
const validMs = 24 * 3_600_000;

/** The number of a page's newest conversations whose participants' profiles each synchronization updates. */
const newest = 20;

/** How many conversations of both channels are read to find a page's newest ones. */
const maxListed = 500;

const isDue = ({ profileAskedAt }: Conversation, now: number): boolean =>
  profileAskedAt === undefined || now - profileAskedAt >= validMs;

/**
 * Requests a participant's profile in the background, because events contain only the id. If that fails, a
 * synchronization fetches it.
 */
export async function requestProfile(
  { inboxQueue, logger, table }: RequestNeeds,
  page: OwnedPage,
  participantId: string,
): Promise<void> {
  const { accountId, channel } = page;
  try {
    const found = await conversationStore(table).find(accountId, inboxIdOf(page, participantId));
    if (!found || found.profileAskedAt !== undefined) return;
    await inboxQueue.send(
      { kind: 'participant', accountId, channel, participantId },
      { delaySeconds: 0, group: accountId },
    );
  } catch (error) {
    logger.warn('profile request not enqueued', { accountId, channel, error: error as Error });
  }
}

type Profile = Partial<Participant>;

/**
 * Fetches a profile: empty if the social network does not describe the participant, undefined if it did not respond.
 */
async function profileOf(
  { logger, socialNetwork }: ProfileNeeds,
  access: PageAccess,
  { accountId, channel, participant }: Conversation,
): Promise<Profile | undefined> {
  try {
    return await socialNetwork.participant(access, participant.id);
  } catch (error) {
    if (!isNetworkFault(error)) throw error;
    logger.warn('profile not fetched', { accountId, channel, fault: error.reason, error });
    return isPermanentFault(error) ? {} : undefined;
  }
}

/**
 * Merges a profile. Known values are kept unless the social network returns others; a picture that is no longer
 * returned is removed.
 */
const described = ({ id, username, name }: Participant, profile: Profile): Participant => ({
  id,
  username: profile.username ?? username,
  name: profile.name ?? name,
  avatarUrl: profile.avatarUrl ?? null,
});

/** Fetches and stores a participant's profile; false if the social network did not respond. */
async function learn(needs: ProfileNeeds, access: PageAccess, conversation: Conversation): Promise<boolean> {
  const profile = await profileOf(needs, access, conversation);
  if (!profile) return false;
  const { accountId, conversationId } = conversation;
  const profileAskedAt = needs.clock.now();
  await writeUnlessChanged(needs.table, async () => {
    const known = await conversationStore(needs.table).find(accountId, conversationId);
    if (!known) return { actions: [], result: undefined };
    const next = { ...known, participant: described(known.participant, profile), profileAskedAt };
    return { actions: [saveConversation(next)], result: undefined };
  });
  return true;
}

/** Whether profiles can be requested now; not while the page is throttled or the social network is down. */
const isAskable = (connection: Connection | undefined): connection is Connection =>
  connection?.state === 'connected' && connection.fault === undefined;

/** Fetches the profile of a participant who has written to a page. */
export async function fetchParticipantProfile(
  needs: ProfileNeeds,
  { participantId, ...id }: Pick<Connection, 'accountId' | 'channel'> & { readonly participantId: string },
): Promise<void> {
  const connection = await needs.connections.find(id);
  if (!isAskable(connection)) return;
  const conversationId = inboxIdOf(connection, participantId);
  const conversation = await conversationStore(needs.table).find(id.accountId, conversationId);
  if (!conversation || !isDue(conversation, needs.clock.now())) return;
  await learn(needs, await accessOf(needs, connection), conversation);
}

/** The newest conversations of a page. */
async function newestOf(
  table: Table,
  { accountId, channel }: Pick<Connection, 'accountId' | 'channel'>,
): Promise<readonly Conversation[]> {
  const store = conversationStore(table);
  const found: Conversation[] = [];
  for (let offset = 0; offset < maxListed && found.length < newest; offset += newest) {
    const listed = await store.list(accountId, { isUnread: false }, { limit: newest, offset });
    found.push(...listed.filter((one) => one.channel === channel));
    if (listed.length < newest) break;
  }
  return found.slice(0, newest);
}

/**
 * Fetches unknown or outdated profiles of the most recent participants. If time runs out, the rest of the unknown ones
 * are requested in the background.
 */
export async function fetchNewestProfiles(
  needs: ProfileNeeds & RequestNeeds,
  id: Pick<Connection, 'accountId' | 'channel'>,
  endsAt: number,
): Promise<void> {
  const { clock, connections, table } = needs;
  const connection = await connections.find(id);
  if (!isAskable(connection)) return;
  const due = (await newestOf(table, id)).filter((one) => isDue(one, clock.now()));
  if (due.length === 0) return;
  const access = await accessOf(needs, connection);
  for (const conversation of due) {
    if (clock.now() >= endsAt) await requestProfile(needs, conversation, conversation.participant.id);
    else if (!(await learn(needs, access, conversation))) return;
  }
}
