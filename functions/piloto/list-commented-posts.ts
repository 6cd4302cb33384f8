import { pilotoCommentContracts } from '../../shared/contracts/piloto-comments.ts';
import { pageFromPlace } from '../../shared/domain/list-page.ts';
import { postStore } from '../../shared/domain/piloto/comments/post-store.ts';
import { withPages } from '../../shared/domain/piloto/pages/connected-pages.ts';
import { presentPost } from '../../shared/domain/piloto/present-inbox.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { accounts, catalog } from '../../shared/domain/store-ports.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

const contract = pilotoCommentContracts.listCommentedPosts;
const kind = { kind: 'post', idOf: ({ postId }: { readonly postId: string }) => postId };

/** Lists the posts of the account's pages that have comments, by their newest comment. */
export const listCommentedPosts: Operation<'listCommentedPosts', 'accounts' | 'catalog'> = async (
  { actor: { accountId }, query, fail },
  context,
) => {
  const { limit, offset } = query;
  const store = postStore(context.table);
  const listing = pageFromPlace(
    query,
    (id) => store.place(accountId, id),
    (range) => store.list(accountId, range),
  );
  const { read } = await withPages(context, contract, accountId, listing);
  if (!read) return fail('VALIDATION_ERROR', { message: 'after must be the id of a listed post' });
  return { posts: readable(context.table, kind, read, presentPost), limit, offset };
};

export const definition = sharedLambda(contract, listCommentedPosts, { accounts, catalog });
