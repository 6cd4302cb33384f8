/** What the service says to other parts, request by request, and how a test names the requests that it waits for. */

import { mainJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { deliveryKey, jobKey, taskKey } from '../../../shared/domain/keys.ts';

/** To whom a request goes; the calls of the service's own functions pass like requests. */
export type Place = 'database' | 'queue' | 'storage' | 'workflow' | 'engine' | 'receiver' | 'function';

export interface Passage {
  readonly place: Place;
  /** AWS's name of the operation, or the method and path, or the function's name. */
  readonly operation: string;
  readonly body: string;
}

/** Before a request goes on to its receiver, or after the receiver has done it and before the service hears so. */
export type Moment = 'before' | 'after';

export type Match = (passage: Passage) => boolean;

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

/** A write to a row with a sort key, told from others to it by words that it contains. */
const writes =
  (operation: string, sortKey: string, words = ''): Match =>
  (passage) =>
    passage.place === 'database' &&
    passage.operation === operation &&
    passage.body.includes(words) &&
    sortKeysIn(passage.body).includes(sortKey);

const asks =
  (place: Place, operation: string): Match =>
  (passage) =>
    passage.place === place && passage.operation.startsWith(operation);

const task = taskKey('').sk;
const job = jobKey('', mainJob).sk;
const delivery = (attempt: number) => deliveryKey('', attempt).sk;

export const commits = writes('TransactWriteItems', 'IDEMPOTENCY');
export const starts = asks('workflow', 'StartExecution');
export const answers = asks('function', 'generateVoice');

export const keepsToken = writes('UpdateItem', job, '#token');
export const submits = asks('engine', 'POST /v1/jobs');
export const keepsReference = writes('UpdateItem', job, '#reference = ');
export const keepsOutcome = writes('UpdateItem', job, '#outcome');
export const signals = asks('workflow', 'SendTaskSuccess');

export const downloads = asks('engine', 'GET /v1/files/');
export const stores = asks('storage', 'PutObject');
export const ends = writes('TransactWriteItems', task, ':endedAt');
export const finalizes = asks('function', 'finalize');

export const delivers = asks('function', 'deliverWebhook');
export const claims = (attempt: number) => writes('PutItem', delivery(attempt));
export const posts = asks('receiver', 'POST ');
export const records = (attempt: number) => writes('UpdateItem', delivery(attempt));
export const settles = writes('UpdateItem', task, 'webhookStatus = :to');
export const requests =
  (attempt: number): Match =>
  ({ place, operation, body }) => {
    if (place !== 'queue' || operation !== 'SendMessage') return false;
    const { MessageBody } = JSON.parse(body) as { MessageBody: string };
    return (JSON.parse(MessageBody) as { attempt: number }).attempt === attempt;
  };

export const setsNextCheck = writes('UpdateItem', task, 'SET openSk');
