/** The participant of a conversation. */
import type { pilotoMessageContracts } from '../../../shared/contracts/piloto-messages.ts';
import type { Data } from '../../api/call.ts';

export type Conversation = Data<typeof pilotoMessageContracts.listConversations>['conversations'][number];

/** The name to display; undefined if the social network does not provide it. */
export const participantName = ({ participant: { name, username } }: Conversation): string | undefined =>
  name ?? username ?? undefined;
