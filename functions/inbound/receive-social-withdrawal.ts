import { deletionPath } from '../../shared/contracts/documents.ts';
import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { type Withdrawal, withdraw } from '../../shared/domain/piloto/pages/withdraw.ts';
import { Rejection, wrongSignature } from '../../shared/domain/rejection.ts';
import { socialNetwork } from '../../shared/gateways/social-networks.ts';
import { inboxQueue } from '../../shared/platform/queue.ts';
import { secretBoxOf } from '../../shared/platform/secret-box.ts';
import { type Inbound, inboundLambda } from '../../shared/runtime/inbound-lambda.ts';

/**
 * Handles a user's removal of the app at the social network, or a request to delete data: both disconnect the page and
 * erase its copy.
 */
export const receiveSocialWithdrawal: Inbound<Withdrawal, 'inboxQueue' | 'secretBox' | 'socialNetwork'> = {
  // A signed request is shorter than 1 KiB. Parsing takes a time that grows with the square of the number of fields.
  maxBytes: 16 * 1024,

  async verify({ params, body }, { ids, socialNetwork: network }) {
    if (params.notice !== 'deauthorize' && params.notice !== 'data-deletion') throw new Rejection('not-found');
    const withdrawal = await network.withdrawalIn(new URLSearchParams(body).get('signed_request') ?? '');
    if (!withdrawal) throw wrongSignature();
    return { sender: 'meta', message: { ...withdrawal, confirmationCode: ids.secret(16) } };
  },
  receive: (message, context) => withdraw({ ...context, connections: connectionStore(context.table) }, message),
  respond: ({ confirmationCode }, { settings }) => ({
    status: 200,
    body: JSON.stringify({
      url: `${settings.apiUrl}${deletionPath(confirmationCode)}`,
      confirmation_code: confirmationCode,
    }),
  }),
};

export const definition = inboundLambda('receiveSocialWithdrawal', receiveSocialWithdrawal, {
  inboxQueue,
  secretBox: secretBoxOf,
  socialNetwork,
});
