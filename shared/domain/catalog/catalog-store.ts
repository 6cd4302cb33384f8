/** Where plans, prices, feature switches and the choice of engines are kept: defaults in code, replaced by rows, read at most every 30 s. */
import { EngineChoice, type EngineChoices } from '../../catalog/engine-choice.ts';
import { choicesOf } from '../../catalog/engines.ts';
import { defaultPlans, type PlanCatalog } from '../../catalog/plans.ts';
import { defaultPrices, type Prices } from '../../catalog/prices.ts';
import { type TaskType, taskTypes } from '../../contracts/generate.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Item, Table } from '../../platform/dynamo-table.ts';
import { keptFor } from '../../platform/kept-for.ts';
import { catalogKey } from '../keys.ts';

export interface Catalog {
  readonly plans: PlanCatalog;
  readonly prices: Prices;
  readonly engines: EngineChoices;
  /** The operations that are switched off. */
  readonly switchedOff: ReadonlySet<string>;
}

export interface CatalogStore {
  /** At most 30 s old. */
  read(): Promise<Catalog>;
  switchOperation(operationId: string, on: boolean): Promise<void>;
  /** From now on tasks of the type are made so; `undefined` stands for the default. */
  chooseEngine(taskType: TaskType, choice: EngineChoice | undefined): Promise<void>;
}

const staleAfterMs = 30_000;

/**
 * Each choice is an attribute of its own, so that two operators can change two of them at once. What is no choice, because
 * another release wrote it, is passed over. So are routes of engines that this service does not have: a task that took one
 * could only fail.
 */
const chosen = (row: Item | undefined, engineNames: readonly string[]): Partial<EngineChoices> =>
  Object.fromEntries(
    taskTypes.flatMap((type) => {
      const { data } = EngineChoice().safeParse(row?.[type]);
      const routes = data?.routes.filter(({ engine }) => engineNames.includes(engine));
      return routes ? [[type, { ...data, routes }]] : [];
    }),
  );

const toCatalog = (rows: readonly Item[], engineNames: readonly string[]): Catalog => {
  const row = (sk: string) => rows.find((candidate) => candidate.sk === sk);
  return {
    plans: (row('PLANS')?.plans as PlanCatalog | undefined) ?? defaultPlans,
    prices: { ...defaultPrices, ...(row('PRICES')?.prices as Partial<Prices> | undefined) },
    engines: { ...choicesOf(engineNames), ...chosen(row('ENGINES'), engineNames) },
    switchedOff: (row('SWITCHES')?.off as Set<string> | undefined) ?? new Set(),
  };
};

/** `engineNames` says which engines there are, the first choice first; a row chooses among them. */
export function catalogStore(table: Table, clock: Clock, engineNames: () => readonly string[]): CatalogStore {
  async function load(): Promise<Catalog> {
    const query = {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': catalogKey('PLANS').pk },
    };
    return toCatalog(await Array.fromAsync(table.walk(query)), engineNames());
  }

  const kept = keptFor(staleAfterMs, clock, load);
  return {
    read: () => kept.read(),
    async switchOperation(operationId, on) {
      await table.update({
        Key: catalogKey('SWITCHES'),
        UpdateExpression: `${on ? 'DELETE' : 'ADD'} #off :operation`,
        ExpressionAttributeNames: { '#off': 'off' },
        ExpressionAttributeValues: { ':operation': new Set([operationId]) },
      });
    },
    async chooseEngine(taskType, choice) {
      await table.update({
        Key: catalogKey('ENGINES'),
        UpdateExpression: choice ? 'SET #type = :choice' : 'REMOVE #type',
        ExpressionAttributeNames: { '#type': taskType },
        ...(choice && { ExpressionAttributeValues: { ':choice': choice } }),
      });
    },
  };
}
