import { pilotoMessageContracts } from '../../shared/contracts/piloto-messages.ts';
import { sendMessage as send } from '../../shared/domain/piloto/conversations/send-message.ts';
import { accounts, catalog } from '../../shared/domain/store-ports.ts';
import { socialNetwork } from '../../shared/gateways/social-networks.ts';
import { pause } from '../../shared/platform/pause.ts';
import { secretBoxOf } from '../../shared/platform/secret-box.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Sends a message to the participant of a conversation. */
export const sendMessage: Operation<'sendMessage', 'secretBox' | 'socialNetwork' | 'accounts' | 'catalog'> = (
  { actor, params, body, idempotency },
  context,
) => send({ ...context, pause }, { accountId: actor.accountId, ...params, ...body, idempotency });

export const definition = sharedLambda(pilotoMessageContracts.sendMessage, sendMessage, {
  accounts,
  catalog,
  secretBox: secretBoxOf,
  socialNetwork,
});
