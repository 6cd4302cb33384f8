/**
 * Determines which handles a text may be (a handle is what a row can be found by, such as an email address), and the
 * queries for them: at most three, of one page each.
 */
import { channels } from '../../contracts/channels.ts';
import type { Item, Key, Table } from '../../platform/dynamo-table.ts';
import { endingLike, folded, handlePartition, namesLike, tokenHandleKey } from '../handle-keys.ts';
import { pageKey } from '../inbox-keys.ts';
import { indexes } from '../index-keys.ts';
import { accountKey, caseKey, orderKey, taskKey, tokenKey } from '../keys.ts';
import { isWellFormedToken, tokenDigest } from '../tokens/token.ts';
import { endingCharacters } from '../tokens/token-handle.ts';

/** A query of an index, and whether a row read from the table still matches it: the index lags behind the table. */
export interface HandleQuery {
  readonly query: Parameters<Table['list']>[0];
  readonly isFound: (row: Item) => boolean;
}

const uuid = /(?:test-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const wholeId = new RegExp(`^${uuid.source}$`);
const caseIdForm = new RegExp(`^${uuid.source}\\.[0-9a-f]{16}$`);

/** An id, or the one in a URL, such as that of a result. */
const idIn = (text: string): string | undefined =>
  wholeId.test(text) ? text : text.includes('/') ? uuid.exec(text)?.[0] : undefined;

/** The keys that follow from the text alone. */
export function keysIn(given: string): Key[] {
  if (isWellFormedToken(given)) return [tokenKey(tokenDigest(given))];
  const text = given.toLowerCase();
  if (caseIdForm.test(text)) return [caseKey(text)];
  if (/^\d{5,40}$/.test(text)) return channels.map((channel) => pageKey(channel, text));
  const id = idIn(text);
  return id === undefined ? [] : [accountKey(id), taskKey(id), orderKey(id), tokenHandleKey(id)];
}

/** Whether a text can be the end of a token, but is shorter than the ending that is stored for each token. */
const isEnding = (text: string): boolean =>
  /^[0-9a-f]+$/.test(text) && text.length > endingCharacters.least && text.length < endingCharacters.most;

function exact(index: 'byHandle' | 'byAlias', text: string): HandleQuery {
  const { pk } = indexes[index];
  const partition = handlePartition(text);
  return {
    query: {
      IndexName: index,
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': pk },
      ExpressionAttributeValues: { ':pk': partition },
      ScanIndexForward: false,
    },
    isFound: (row) => row[pk] === partition,
  };
}

/** The query for handles whose sort keys begin like this: names that begin with a text, or tokens that end with it. */
function beginning({ pk: partition, beginning: start }: ReturnType<typeof namesLike>): HandleQuery {
  const { pk, sk } = indexes.byAlias;
  return {
    query: {
      IndexName: 'byAlias',
      KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :start)',
      ExpressionAttributeNames: { '#pk': pk, '#sk': sk },
      ExpressionAttributeValues: { ':pk': partition, ':start': start },
    },
    isFound: (row) => row[pk] === partition && String(row[sk]).startsWith(start),
  };
}

/** The queries for a text that may be any handle: a name, for instance, can look like an address. */
export function queriesFor(given: string): HandleQuery[] {
  const text = folded(given);
  if (text === '' || isWellFormedToken(given)) return [];
  return [
    exact('byHandle', text),
    isEnding(text) ? beginning(endingLike(text)) : exact('byAlias', text),
    beginning(namesLike(text)),
  ];
}
