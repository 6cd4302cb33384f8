import { pilotoCommentContracts } from '../../shared/contracts/piloto-comments.ts';
import { moderateComment } from '../../shared/domain/piloto/comments/moderate-comment.ts';
import { accounts, catalog } from '../../shared/domain/store-ports.ts';
import { socialNetwork } from '../../shared/gateways/social-networks.ts';
import { secretBoxOf } from '../../shared/platform/secret-box.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

const contract = pilotoCommentContracts.hideComment;
const change = { hidden: true };

/** Hides a comment from everybody but its author. */
export const hideComment: Operation<'hideComment', 'secretBox' | 'socialNetwork' | 'accounts' | 'catalog'> = async (
  { actor, params },
  context,
) => {
  await moderateComment(context, contract, { accountId: actor.accountId, ...params, change });
  return { commentId: params.commentId, ...change };
};

export const definition = sharedLambda(contract, hideComment, {
  accounts,
  catalog,
  secretBox: secretBoxOf,
  socialNetwork,
});
