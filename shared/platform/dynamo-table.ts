/** Access to the service's only DynamoDB table: the client, conditional writes, transactions and pagination. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { AwsAccess } from './aws-access.ts';
import { ConditionFailed } from './condition-failed.ts';
import { mediumTimeoutClient } from './sdk-client.ts';
import { TableBusy } from './table-busy.ts';

export { ConditionFailed };

export type Item = Record<string, unknown>;

/** The primary key of an item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

type Unnamed<Input> = Omit<Input, 'TableName'>;
type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type WithoutTable<Action> = { [Kind in keyof Action]: Action[Kind] extends infer A | undefined ? Unnamed<A> : never };

/** One write of a transaction, without the table's name. */
export type Action = WithoutTable<Pick<TransactItem, 'Put' | 'Update' | 'Delete' | 'ConditionCheck'>>;

/** Conditions of a transaction failed: holds, for each action in order, the failure or undefined. */
export class TransactionCanceled extends Error {
  override readonly name = 'TransactionCanceled';
  readonly failures: readonly ({ readonly item: Item | undefined } | undefined)[];
  constructor(failures: readonly ({ readonly item: Item | undefined } | undefined)[]) {
    super('conditions of a transaction failed');
    this.failures = failures;
  }
}

/** A row that was left out of a list because it could not be read. */
export interface LeftOutRow {
  readonly kind: string;
  readonly id: string;
  readonly error: unknown;
}

export interface Table {
  /** Called for each row that a list leaves out; without this function, an unreadable row makes the list throw. */
  readonly leftOut?: (row: LeftOutRow) => void;
  /** Whether the table responds to a read within two seconds. */
  responds(key: Key): Promise<boolean>;
  /** A strongly consistent read. */
  get(key: Key): Promise<Item | undefined>;
  /** Strongly consistent reads, a hundred items in each request; unordered, each item once, without missing items. */
  getMany(keys: readonly Key[]): Promise<Item[]>;
  put(input: Unnamed<PutCommandInput>): Promise<void>;
  /** Returns the attributes that `ReturnValues` requests. @throws {ConditionFailed} */
  update(input: Unnamed<UpdateCommandInput>): Promise<Item>;
  /** Reads a range of a query's items, in as few pages as possible. */
  list(input: Unnamed<QueryCommandInput>, range: { readonly limit: number; readonly offset: number }): Promise<Item[]>;
  /** Yields every item of a query, page by page. */
  walk(input: Unnamed<QueryCommandInput>): AsyncGenerator<Item>;
  /** Commits all of the actions or none. @throws {TransactionCanceled} */
  transact(actions: readonly Action[]): Promise<void>;
}

/**
 * The number of retries after a conflict: enough for twenty concurrent writers of one item to succeed. DynamoDB aborts
 * conflicting transactions instead of queuing them, and the SDK does not retry them.
 */
const conflictRetries = 10;

/** Cancellation reasons that are temporary. */
const passing = new Set<string | undefined>([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

const longestPauseMs = 300;

/** Milliseconds before a retry: at least 5, plus a random part that grows, so that writers do not retry in step. */
const pauseMs = (tries: number, chance: number): number => 5 + chance * Math.min(longestPauseMs - 5, 10 * 2 ** tries);

const isBusy = (error: unknown): boolean => {
  if (error instanceof TransactionConflictException) return true;
  if (!(error instanceof TransactionCanceledException)) return false;
  const reasons = (error.CancellationReasons ?? []).map((reason) => reason.Code);
  return reasons.some((code) => passing.has(code)) && !reasons.includes('ConditionalCheckFailed');
};

/**
 * Whether a retry may succeed. If an earlier attempt of the same transaction is still in progress, the retry returns
 * its result.
 */
const mayPass = (error: unknown): boolean => error instanceof TransactionInProgressException || isBusy(error);

async function retrying<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (!mayPass(error) || tries === conflictRetries) throw error;
      await sleep(pauseMs(tries, Math.random()));
    }
  }
}

const plain = (item: Record<string, AttributeValue> | undefined): Item | undefined => item && unmarshall(item);

function translate(error: unknown): never {
  if (error instanceof ConditionalCheckFailedException) throw new ConditionFailed(plain(error.Item));
  if (error instanceof TransactionCanceledException) {
    const reasons = error.CancellationReasons ?? [];
    if (reasons.some((reason) => reason.Code === 'ConditionalCheckFailed')) {
      throw new TransactionCanceled(
        reasons.map((reason) => (reason.Code === 'ConditionalCheckFailed' ? { item: plain(reason.Item) } : undefined)),
      );
    }
  }
  throw isBusy(error) ? new TableBusy(error) : error;
}

function documentClient(access: AwsAccess): DynamoDBDocumentClient {
  const client = new DynamoDBClient({ ...mediumTimeoutClient, ...access });
  // The SDK's log is disabled, but its middleware would still copy every request and response.
  client.middlewareStack.remove('loggerMiddleware');
  return DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
  });
}

/** A DynamoDB client and the table that it uses. */
interface Connection {
  readonly client: DynamoDBDocumentClient;
  readonly TableName: string;
}

/** Yields pages of a query up to the given number of items; no page requests more items than are still needed. */
async function* pages(
  { client, TableName }: Connection,
  input: Unnamed<QueryCommandInput>,
  wanted = Number.POSITIVE_INFINITY,
): AsyncGenerator<Item[]> {
  let ExclusiveStartKey: Item | undefined;
  let missing = wanted;
  do {
    const Limit = Number.isFinite(missing) ? missing : undefined;
    const response = await client.send(new QueryCommand({ ...input, TableName, ExclusiveStartKey, Limit }));
    const items = response.Items ?? [];
    yield items;
    missing -= items.length;
    ExclusiveStartKey = response.LastEvaluatedKey;
  } while (ExclusiveStartKey && missing > 0);
}

/** The most items that DynamoDB returns in one request. */
const batchSize = 100;

async function getMany({ client, TableName }: Connection, keys: readonly Key[]): Promise<Item[]> {
  const found: Item[] = [];
  let wanted: Item[] | undefined = keys.map(({ pk, sk }) => ({ pk, sk }));
  for (let tries = 0; wanted && wanted.length > 0; tries += 1) {
    if (tries > 0) await sleep(pauseMs(tries, Math.random()));
    const RequestItems: BatchGetCommandInput['RequestItems'] = { [TableName]: { Keys: wanted, ConsistentRead: true } };
    const response: BatchGetCommandOutput = await client.send(new BatchGetCommand({ RequestItems }));
    found.push(...(response.Responses?.[TableName] ?? []));
    wanted = response.UnprocessedKeys?.[TableName]?.Keys;
  }
  return found;
}

async function transact({ client, TableName }: Connection, actions: readonly Action[]): Promise<void> {
  const named = (action: Action): TransactItem =>
    Object.fromEntries(Object.entries(action).map(([kind, write]) => [kind, { ...write, TableName }]));
  const TransactItems = actions.map(named);
  // All attempts share one token, so that a commit whose response was lost is recognized on retry.
  const ClientRequestToken = randomUUID();
  const write = () => client.send(new TransactWriteCommand({ TransactItems, ClientRequestToken }));
  await retrying(write).catch(translate);
}

async function responds({ client, TableName }: Connection, { pk, sk }: Key): Promise<boolean> {
  const command = new GetCommand({ TableName, Key: { pk, sk } });
  const read = client.send(command, { abortSignal: AbortSignal.timeout(2000) });
  return read.then(
    () => true,
    () => false,
  );
}

/** Creates the table port. By default, the SDK's own account, region and endpoint apply. */
export function dynamoTable(tableName: string, access: AwsAccess = {}): Table {
  const connection = { client: documentClient(access), TableName: tableName };
  const { client, TableName } = connection;
  return {
    responds: (key) => responds(connection, key),
    async get({ pk, sk }) {
      const response = await client.send(new GetCommand({ TableName, Key: { pk, sk }, ConsistentRead: true }));
      return response.Item;
    },
    async getMany(given) {
      const keys = [...new Map(given.map((key) => [`${key.pk}\n${key.sk}`, key])).values()];
      const batches = Array.from({ length: Math.ceil(keys.length / batchSize) }, (_, position) =>
        getMany(connection, keys.slice(position * batchSize, (position + 1) * batchSize)),
      );
      return (await Promise.all(batches)).flat();
    },
    async put(input) {
      await retrying(() => client.send(new PutCommand({ ...input, TableName }))).catch(translate);
    },
    async update(input) {
      const command = () => client.send(new UpdateCommand({ ...input, TableName }));
      const response = await retrying(command).catch(translate);
      return response.Attributes ?? {};
    },
    async list(input, { limit, offset }) {
      const found = await Array.fromAsync(pages(connection, input, offset + limit));
      return found.flat().slice(offset);
    },
    async *walk(input) {
      for await (const found of pages(connection, input)) yield* found;
    },
    transact: (actions) => transact(connection, actions),
  };
}
