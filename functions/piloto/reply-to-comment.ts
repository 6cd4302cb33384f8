import { pilotoCommentContracts } from '../../shared/contracts/piloto-comments.ts';
import { replyToComment as reply } from '../../shared/domain/piloto/comments/reply-to-comment.ts';
import { accounts, catalog } from '../../shared/domain/store-ports.ts';
import { socialNetwork } from '../../shared/gateways/social-networks.ts';
import { pause } from '../../shared/platform/pause.ts';
import { secretBoxOf } from '../../shared/platform/secret-box.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Comments on a post, or replies to a comment. */
export const replyToComment: Operation<'replyToComment', 'secretBox' | 'socialNetwork' | 'accounts' | 'catalog'> = (
  { actor, params, body, idempotency },
  context,
) => reply({ ...context, pause }, { accountId: actor.accountId, ...params, ...body, idempotency });

export const definition = sharedLambda(pilotoCommentContracts.replyToComment, replyToComment, {
  accounts,
  catalog,
  secretBox: secretBoxOf,
  socialNetwork,
});
