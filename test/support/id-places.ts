/** Where operations accept ids of resources, read from their contracts, and how an account creates such resources. */
import { createHash } from 'node:crypto';
import type * as z from 'zod';
import type { OperationContract } from '../../shared/contracts/operation.ts';
import { type OperationId, registry } from '../../shared/contracts/registry.ts';
import { giveInbox } from './given-inbox.ts';
import { giveOrder } from './given-order.ts';
import type { TestAccount, TestService } from './test-service.ts';
import { declareFile } from './upload-file.ts';

/** Ids of resources in different states: an operation must respond in the same way for all of them. */
export type Resources = Readonly<Record<string, string>>;

type Make = (host: TestService, owner: TestAccount) => Promise<Resources>;

export interface IdPlace {
  readonly operationId: OperationId;
  readonly part: 'params' | 'query' | 'body';
  readonly name: string;
  /** The form in which the place contains ids; if it accepts only one, it is the first. */
  readonly written: (ids: readonly string[]) => unknown;
  readonly takesSeveral: boolean;
}

const ids = ['0193a5c4-8f0f-7aa2-b1c3-1d2e3f405162', '0193a5c4-8f0f-7aa2-b1c3-1d2e3f405163'];

type Spelling = Pick<IdPlace, 'written' | 'takesSeveral'>;

const one: Spelling = { takesSeveral: false, written: ([first = '']) => first };

/** The form of the ids: a list, a list in a string, or a single id. */
const spellings: readonly Spelling[] = [
  { takesSeveral: true, written: (some) => [...some] },
  { takesSeveral: true, written: (some) => some.join(',') },
  one,
];

/** How a field contains ids; undefined if it accepts any text, or no ids. */
const spellingOf = (schema: z.ZodType): Spelling | undefined =>
  spellings.find(({ written }) => schema.safeParse(written(ids)).success && !schema.safeParse(written(['x'])).success);

const fieldsOf = (schema: z.ZodType | undefined): [string, z.ZodType][] =>
  Object.entries((schema?.def as { shape?: Record<string, z.ZodType> } | undefined)?.shape ?? {});

/**
 * Fields that look like ids but need no check of ownership: positions in a list, and digests of files, which anybody
 * may look up.
 */
export const ofNoAccount = new Set(['after', 'sha256']);

const placesOf = (operationId: OperationId): IdPlace[] => {
  const contract: OperationContract = registry[operationId];
  const placesIn = (part: IdPlace['part'], spell: (schema: z.ZodType) => Spelling | undefined) =>
    fieldsOf(contract[part]).flatMap(([name, schema]): IdPlace[] => {
      const spelling = spell(schema);
      return spelling && !ofNoAccount.has(name) ? [{ operationId, part, name, ...spelling }] : [];
    });
  // A path parameter identifies a resource, whatever the form of its id.
  return [...placesIn('params', () => one), ...placesIn('query', spellingOf), ...placesIn('body', spellingOf)];
};

export const idPlaces: readonly IdPlace[] = (Object.keys(registry) as OperationId[]).flatMap(placesOf);

const makeTasks: Make = async (host, owner) => {
  const [open, withWebhook, ended] = [
    await host.speak(owner.token),
    await host.speak(owner.token, { text: 'Oi.', voice: 'bill', callbackUrl: host.receiver.url }),
    await host.speak(owner.token),
  ];
  await host.call('cancelTask', { token: owner.token, params: { taskId: ended } });
  const { deliveries, clock } = host.service.context;
  await deliveries.claim(withWebhook, 1, { worker: 'unknown', now: clock.now() });
  return { 'that is open': open, 'with a webhook under way': withWebhook, 'that has ended': ended };
};

const makeOrders: Make = async ({ service: { context } }, { accountId }) => ({
  'that is pending': await giveOrder(context, accountId),
  'that was paid': await giveOrder(context, accountId, { status: 'paid', paidBy: '1', paidAt: context.clock.now() }),
});

const megabyte = 2 ** 20;

const makeUploads: Make = async (host, { token }) => ({
  'of a form': (await declareFile(host, token, megabyte)).fileId,
  'in parts': (await declareFile(host, token, 101 * megabyte, 'video/mp4')).fileId,
});

const makeConversation: Make = async (host, { accountId }) => ({
  'with a message': (await giveInbox(host, accountId)).conversationId,
});

/** The other ids that identify a comment. */
const pairs = new Map<string, Readonly<Record<string, string>>>();

const makeComment =
  (name: 'postId' | 'commentId'): Make =>
  async (host, { accountId }) => {
    const { postId, commentId, [name]: id } = await giveInbox(host, accountId);
    pairs.set(id, { postId, commentId });
    return { 'by a visitor': id };
  };

/** The parameters that a resource's identification requires: a comment's requires its post. */
export const paramsBeside = (id: string): Readonly<Record<string, string>> => pairs.get(id) ?? {};

const ofInbox = new Set(['conversationId', 'postId', 'commentId']);

/** A well-formed id that belongs to no resource. */
export const missingId = ({ name }: IdPlace, { service: { context } }: TestService): string => {
  const id = context.ids.next();
  return ofInbox.has(name) ? createHash('sha256').update(id).digest('base64url').slice(0, 22) : id;
};

/** What an account must have before the service tells it that a resource does not exist, such as a plan. */
export async function prepareCaller({ name }: IdPlace, host: TestService, { accountId }: TestAccount): Promise<void> {
  if (ofInbox.has(name)) await giveInbox(host, accountId);
}

/** The kind of resource that a field identifies; where the field name alone is ambiguous, the operation is included. */
const makers: Readonly<Record<string, Make>> = {
  taskId: makeTasks,
  'listTasks.ids': makeTasks,
  orderId: makeOrders,
  fileId: makeUploads,
  conversationId: makeConversation,
  postId: makeComment('postId'),
  commentId: makeComment('commentId'),
};

/** Creates resources for a place. @throws {Error} if no way to create them is known */
export function createResources({ operationId, part, name }: IdPlace, host: TestService, owner: TestAccount) {
  const make = makers[`${operationId}.${name}`] ?? makers[name];
  if (make) return make(host, owner);
  throw new Error(
    `${operationId} takes an id (${part}.${name}): say in test/support/id-places.ts how an account creates such a resource`,
  );
}
