/** Commands on the catalog: plans, packs, coupons, prices, the Studio, switches and engine routes, each a row of JSON members. */
import { catalogRowNames } from '../../shared/domain/catalog/catalog-row.ts';
import { catalogRows } from '../../shared/domain/catalog/catalog-rows.ts';
import { catalogStore } from '../../shared/domain/catalog/catalog-store.ts';
import { actLog } from '../../shared/domain/operators/act-log.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { actCommand } from './act-command.ts';
import { type Command, command, optional, required } from './command.ts';
import { enginesOf } from './engines-of.ts';
import { commandFailed } from './exit-error.ts';
import type { Service, Target } from './service.ts';
import { integer, oneOf, textOf } from './value-kinds.ts';

/** Functions cache the catalog for this long. */
export const effectiveWithinSeconds = 30;

const row = required(oneOf('ROW', catalogRowNames), 'The catalog row.');

const storeOf = (service: Service) => catalogStore(service.table, service.clock, () => enginesOf(service));

const show = command({
  name: 'show',
  summary: 'Show the current values of a catalog row, as JSON that "catalog set" accepts.',
  operands: { row },
  run: async ({ row: name }, service) => ({ row: name, ...(await storeOf(service).show(catalogRows[name])) }),
  print: ({ members }) => JSON.stringify(members, null, 2),
});

async function membersFrom(input: Target['input']): Promise<Readonly<Record<string, unknown>>> {
  let given: unknown;
  try {
    given = JSON.parse(await input());
  } catch {
    throw commandFailed('The members are read from standard input and must be JSON.');
  }
  if (typeof given === 'object' && given !== null && !Array.isArray(given) && Object.keys(given).length > 0) {
    return { ...given };
  }
  throw commandFailed('Standard input must be a JSON object with at least one member.');
}

const set = actCommand(acts.changeCatalog, {
  name: 'set',
  summary: `Replace members of a row with the JSON on standard input, effective within ${effectiveWithinSeconds} seconds; other members stay unchanged.`,
  operands: { row },
  async run({ row: name }, { connect, perform, target }) {
    const service = await connect();
    const members = await membersFrom(target.input);
    return { ...(await perform(service, service, { row: name, members })), effectiveWithinSeconds };
  },
});

const reset = actCommand(acts.resetCatalog, {
  name: 'reset',
  summary: `Restore the defaults of a row, or of one member, effective within ${effectiveWithinSeconds} seconds.`,
  operands: { row },
  options: { member: optional(textOf('MEMBER', 1, 120), 'A member of the row; all of them by default.') },
  async run({ row: name, member }, { connect, perform }) {
    const service = await connect();
    return { ...(await perform(service, service, { row: name, member })), effectiveWithinSeconds };
  },
});

const history = command({
  name: 'history',
  summary: 'List the changes of a row, newest first: who made them, when, why, and what they replaced.',
  operands: { row },
  options: { limit: optional(integer(1, 100), 'How many changes at most; 20 by default.') },
  async run({ row: name, limit = 20 }, service) {
    const entries = await actLog(service.table).of(`catalog/${name}`, { limit });
    const changes = entries.map(({ at, act, operatorName, reason, state, before, after }) => ({
      version: state === 'done' ? Number(after?.version) : null,
      at: timestamp(at),
      operator: operatorName,
      act,
      state,
      before: JSON.stringify(before?.members ?? null),
      after: JSON.stringify(after?.members ?? null),
      reason,
    }));
    return { changes };
  },
  rows: ({ changes }) => changes,
  whenEmpty: 'The row has never been changed.',
});

const undo = actCommand(acts.undoCatalog, {
  name: 'undo',
  summary: `Undo a change of a row, effective within ${effectiveWithinSeconds} seconds; its members get the values that they had before it.`,
  operands: { row },
  options: { version: optional(integer(1, 1_000_000_000), 'The version that the change made; by default the latest.') },
  async run({ row: name, version }, { connect, perform }) {
    const service = await connect();
    return { ...(await perform(service, service, { row: name, version })), effectiveWithinSeconds };
  },
});

export const catalogCommands: readonly Command[] = [show, set, reset, history, undo];
