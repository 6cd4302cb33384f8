/** The row by which operators find a token: by its id, which is not its key, or by its last characters. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import type { Action, Item } from '../../platform/dynamo-table.ts';
import { findableBy, findableByEnding, tokenHandleKey, tokenIdOf } from '../handle-keys.ts';
import { parseRow } from '../stored-row.ts';
import type { Token } from './token.ts';

/** How many of a token's last characters are stored. They are a checksum, which reveals too little to guess the rest. */
export const endingCharacters = { least: 4, most: 8 } as const;

const TokenHandleRow = once(() => z.object({ accountId: z.string(), digest: z.string() }));

export const toTokenHandle = (item: Item) => ({
  tokenId: tokenIdOf(item),
  ...parseRow('token id', TokenHandleRow(), item),
});

/** Inserts the row; without the token's text, which is never stored, the token is found by its id alone. */
export function insertTokenHandle(
  digest: string,
  { tokenId, accountId }: Pick<Token, 'tokenId' | 'accountId'>,
  text?: string,
): Action {
  const ending = text?.slice(-endingCharacters.most);
  const byEnding = ending !== undefined && {
    ...findableBy('byHandle', ending),
    ...findableByEnding(ending),
  };
  return {
    Put: {
      Item: { ...tokenHandleKey(tokenId), accountId, digest, ...byEnding },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}
