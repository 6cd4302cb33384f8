import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { type ErasureState, erasureState } from '../../shared/domain/piloto/pages/withdraw.ts';
import { Rejection } from '../../shared/domain/rejection.ts';
import { type Document, documentLambda } from '../../shared/runtime/document-lambda.ts';

const texts: Readonly<Record<ErasureState, string>> = {
  erased: 'The copy of your conversations, messages, posts and comments has been deleted.',
  erasing: 'The copy of your conversations, messages, posts and comments is being deleted. Come back in a few minutes.',
  'nothing-found': 'No connected page was found for this request. Nothing was deleted.',
};

/** The format of confirmation codes; other texts are not looked up. */
const code = /^[0-9a-f]{32}$/;

/** Shows the progress of a data deletion that was requested at a social network, in one sentence. */
export const getDataDeletion: Document = async ({ table }, { confirmationCode = '' }) => {
  if (!code.test(confirmationCode)) throw new Rejection('not-found');
  const state = await erasureState({ table, connections: connectionStore(table) }, confirmationCode);
  if (state === undefined) throw new Rejection('not-found');
  return {
    body: `${texts[state]}\n`,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  };
};

export const definition = documentLambda('getDataDeletion', getDataDeletion);
