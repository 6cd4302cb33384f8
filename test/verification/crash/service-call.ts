/** The calls that the service makes to other parties, and the names by which tests match them. */

import { mainJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { deliveryKey, jobKey, taskKey } from '../../../shared/domain/keys.ts';

/** The customer that a call is for; invocations of the service's own functions count as calls, too. */
export type Party = 'database' | 'queue' | 'storage' | 'workflow' | 'engine' | 'receiver' | 'function';

export interface ServiceCall {
  readonly party: Party;
  /** The operation's AWS name (followed by the path of a file), the method and path, or the function's name. */
  readonly operation: string;
  readonly body: string;
}

/**
 * The time of the event: before a call is forwarded, or after it was performed but before the service gets the
 * response.
 */
export type Moment = 'before' | 'after';

export type Match = (call: ServiceCall) => boolean;

interface RowWrite {
  readonly Key?: { readonly sk: { readonly S: string } };
  readonly Item?: { readonly sk: { readonly S: string } };
}

interface TableWrite extends RowWrite {
  readonly TransactItems?: readonly Readonly<Record<string, RowWrite>>[];
}

const sortKeysIn = (body: string): (string | undefined)[] => {
  const write = JSON.parse(body) as TableWrite;
  const rows = [write, ...(write.TransactItems ?? []).flatMap((item) => Object.values(item))];
  return rows.map(({ Item, Key }) => (Item ?? Key)?.sk.S);
};

/** A write to a row whose sort key contains the given text. */
const writes =
  (operation: string, sortKey: string, words = ''): Match =>
  (call) =>
    call.party === 'database' &&
    call.operation === operation &&
    call.body.includes(words) &&
    sortKeysIn(call.body).includes(sortKey);

const asks =
  (party: Party, operation: string): Match =>
  (call) =>
    call.party === party && call.operation.startsWith(operation);

const task = taskKey('').sk;
const job = jobKey('', mainJob).sk;
const delivery = (attempt: number) => deliveryKey('', attempt).sk;

export const commits = writes('TransactWriteItems', 'IDEMPOTENCY');
export const starts = asks('workflow', 'StartExecution');
export const responds = asks('function', 'generateVoice');

export const storesToken = writes('UpdateItem', job, '#token');
export const submits = asks('engine', 'POST /v1/jobs');
export const storesReference = writes('UpdateItem', job, '#reference = ');
export const storesOutcome = writes('UpdateItem', job, '#outcome');
export const signals = asks('workflow', 'SendTaskSuccess');

export const downloads = asks('engine', 'GET /v1/files/');
export const storesResult = asks('storage', 'PutObject');
export const ends = writes('TransactWriteItems', task, ':endedAt');
export const finalizes = asks('function', 'finalize');

export const delivers = asks('function', 'deliverWebhook');
export const claims = (attempt: number) => writes('PutItem', delivery(attempt));
export const posts = asks('receiver', 'POST ');
export const records = (attempt: number) => writes('UpdateItem', delivery(attempt));
export const settles = writes('UpdateItem', task, 'webhookStatus = :to');
export const enqueues =
  (attempt: number): Match =>
  ({ party, operation, body }) => {
    if (party !== 'queue' || operation !== 'SendMessage') return false;
    const { MessageBody } = JSON.parse(body) as { MessageBody: string };
    return (JSON.parse(MessageBody) as { attempt: number }).attempt === attempt;
  };

export const setsNextCheck = writes('UpdateItem', task, 'SET openSk');
