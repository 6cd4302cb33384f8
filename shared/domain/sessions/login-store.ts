/** Stores log-ins in progress: each is completed at most once, within ten minutes, by the browser that began it. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import { ConditionFailed, type Table } from '../../platform/dynamo-table.ts';
import { expiryAttribute, loginKey } from '../keys.ts';
import { secretDigest } from '../secret-digest.ts';
import { parseRow } from '../stored-row.ts';

/** How many seconds a log-in may take. */
export const loginSeconds = 600;

/** The session whose owner must confirm their identity. */
const Confirmation = once(() =>
  z.object({
    digest: z.string(),
    accountId: z.string(),
    subject: z.string(),
    provider: z.string(),
    loginId: z.string(),
  }),
);

const LoginRow = once(() =>
  z.object({
    stateDigest: z.string(),
    nonce: z.string(),
    verifier: z.string(),
    returnTo: z.string(),
    startedAt: z.int(),
    confirms: z.exactOptional(Confirmation()),
    /** The digest of the operator's session that the log-in ends. */
    replaces: z.exactOptional(z.string()),
  }),
);

export type Login = Omit<z.output<ReturnType<typeof LoginRow>>, 'stateDigest'>;

export async function insertLogin(
  table: Table,
  { secret, state }: { readonly secret: string; readonly state: string },
  login: Login,
): Promise<void> {
  await table.put({
    Item: {
      ...loginKey(secretDigest(secret)),
      ...login,
      stateDigest: secretDigest(state),
      [expiryAttribute]: Math.ceil(login.startedAt / 1000) + loginSeconds,
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
}

/**
 * Consumes the log-in that matches a browser's secret and a callback's state; undefined if it does not exist, has
 * expired or was already consumed.
 */
export async function consumeLogin(
  table: Table,
  { secret, state }: { readonly secret: string; readonly state: string },
  now: number,
): Promise<Login | undefined> {
  try {
    const item = await table.update({
      Key: loginKey(secretDigest(secret)),
      UpdateExpression: 'SET consumedAt = :now',
      ConditionExpression:
        'attribute_exists(pk) AND attribute_not_exists(consumedAt) AND stateDigest = :state AND startedAt > :earliest',
      ExpressionAttributeValues: { ':now': now, ':state': secretDigest(state), ':earliest': now - loginSeconds * 1000 },
      ReturnValues: 'ALL_NEW',
    });
    const { stateDigest: _checked, ...login } = parseRow('log-in', LoginRow(), item);
    return login;
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}
