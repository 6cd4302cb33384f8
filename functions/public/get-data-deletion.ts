import { connectionStore } from '../../shared/domain/piloto/connection-store.ts';
import { isErased } from '../../shared/domain/piloto/withdraw.ts';
import { Rejection } from '../../shared/domain/rejection.ts';
import { type Document, documentLambda } from '../../shared/runtime/document-lambda.ts';

const texts = {
  done: 'The copy of your conversations, messages, posts and comments has been deleted.',
  'in progress':
    'The copy of your conversations, messages, posts and comments is being deleted. Come back in a few minutes.',
};

/** As they are given out: a longer one could not even be looked up. */
const code = /^[0-9a-f]{32}$/;

/** What has become of a deletion that somebody asked for at a social network, in one sentence. */
export const getDataDeletion: Document = async ({ table }, { confirmationCode = '' }) => {
  if (!code.test(confirmationCode)) throw new Rejection('not-found');
  const isDone = await isErased({ table, connections: connectionStore(table) }, confirmationCode);
  if (isDone === undefined) throw new Rejection('not-found');
  return {
    body: `${texts[isDone ? 'done' : 'in progress']}\n`,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  };
};

export const definition = documentLambda('getDataDeletion', getDataDeletion);
