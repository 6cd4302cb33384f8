/** The commands for prices, by task type. */
import { taskTypes } from '../../shared/contracts/task-types.ts';
import { pricesRow } from '../../shared/domain/catalog/prices-row.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import { priceMemberOf } from '../../shared/domain/operators/catalog-acts.ts';
import { actCommand } from './act-command.ts';
import { effectiveWithinSeconds } from './catalog-commands.ts';
import { type Command, command, optional, required } from './command.ts';
import type { Service } from './service.ts';
import { integer, oneOf, textOf } from './value-kinds.ts';

const type = oneOf('TYPE', taskTypes);

const highestPrice = 1_000_000;

const pricesOf = async ({ catalog }: Service): Promise<ReadonlyMap<string, Readonly<Record<string, number>>>> =>
  new Map(Object.entries(await catalog.read(pricesRow)));

const show = command({
  name: 'show',
  summary: 'Show the prices of a task type, or of all types, in credits.',
  options: { type: optional(type, 'The task type; all of them by default.') },
  async run({ type: wanted }, service) {
    const known = await pricesOf(service);
    const prices = taskTypes
      .filter((taskType) => wanted === undefined || wanted === taskType)
      .flatMap((taskType) =>
        Object.entries(known.get(priceMemberOf(taskType)) ?? {}).map(([name, value]) => ({
          type: taskType,
          name,
          value,
        })),
      );
    return { prices };
  },
  rows: ({ prices }) => prices,
  whenEmpty: 'Studio videos cost what their modes say: "catalog show studio" shows them.',
});

const set = actCommand(acts.setPrice, {
  name: 'set',
  summary: `Set a price of a task type, effective within ${effectiveWithinSeconds} seconds; tasks that exist keep their cost.`,
  options: {
    type: required(type, 'The task type.'),
    name: required(textOf('NAME', 1, 60), 'Which price of the type, as shown by "price show".'),
    value: required(integer(1, highestPrice), 'The new value.'),
  },
  async run({ type: taskType, name, value }, { connect, perform }) {
    const service = await connect();
    return { ...(await perform(service, service, { type: taskType, name, value })), effectiveWithinSeconds };
  },
  print: ({ type: taskType, name, before, value }) =>
    `${name} of ${taskType} changes from ${before} to ${value} within ${effectiveWithinSeconds} seconds.`,
});

export const priceCommands: readonly Command[] = [show, set];
