import { pilotoCommentContracts } from '../../shared/contracts/piloto-comments.ts';
import { pageFromPlace } from '../../shared/domain/list-page.ts';
import { postStore } from '../../shared/domain/piloto/comments/post-store.ts';
import { withPages } from '../../shared/domain/piloto/pages/connected-pages.ts';
import { presentComment } from '../../shared/domain/piloto/present-inbox.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { accounts, catalog } from '../../shared/domain/store-ports.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

const contract = pilotoCommentContracts.listComments;
const kind = { kind: 'comment', idOf: ({ commentId }: { readonly commentId: string }) => commentId };

/** Lists the comments on a post, newest first. */
export const listComments: Operation<'listComments', 'accounts' | 'catalog'> = async (
  { actor, params, query, fail },
  context,
) => {
  const { accountId } = actor;
  const { postId } = params;
  const { limit, offset } = query;
  const store = postStore(context.table);
  const listing = pageFromPlace(
    query,
    (id) => store.commentPlace(accountId, postId, id),
    (range) => store.commentIds(accountId, postId, range),
  );
  const reading = Promise.all([store.find(accountId, postId), listing]);
  const { read } = await withPages(context, contract, accountId, reading);
  const [post, ids] = read;
  if (!post) return fail('NOT_FOUND');
  if (!ids) return fail('VALIDATION_ERROR', { message: 'after must be the id of a comment on the post' });
  const comments = await store.comments(accountId, postId, ids);
  return { postId, comments: readable(context.table, kind, comments, presentComment), limit, offset };
};

export const definition = sharedLambda(contract, listComments, { accounts, catalog });
