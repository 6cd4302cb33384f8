/** Commands on the catalog: plans, packs, coupons, prices, the Studio, switches and engine routes, each a row of JSON members. */
import type * as z from 'zod';
import type { EngineChoice } from '../../shared/catalog/engine-choice.ts';
import { allRoutesOf } from '../../shared/catalog/engines.ts';
import { registry } from '../../shared/contracts/registry.ts';
import type { TaskType } from '../../shared/contracts/task-types.ts';
import { type CatalogRowName, catalogRowNames } from '../../shared/domain/catalog/catalog-row.ts';
import { catalogRows } from '../../shared/domain/catalog/catalog-rows.ts';
import { catalogStore } from '../../shared/domain/catalog/catalog-store.ts';
import { type Command, command, commandOnTarget, optional, required } from './command.ts';
import { enginesOf, requireEngines } from './engines-of.ts';
import { commandFailed, usageError } from './exit-error.ts';
import { issueText } from './issue-text.ts';
import type { Service, Target } from './service.ts';
import { oneOf, textOf } from './value-kinds.ts';

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

const problemsOf = (member: string, { issues }: z.ZodError): string[] =>
  issues.map(({ path, message }) => `${[member, ...path].join('.')}: ${message}`);

/**
 * Rejects unknown routes, which would be ignored, and routes of engines that the service does not have, whose tasks
 * would fail.
 */
function requireRoutes(choices: Readonly<Record<string, EngineChoice>>, service: Service): void {
  for (const [taskType, choice] of Object.entries(choices)) {
    const known = allRoutesOf(taskType as TaskType);
    const chosen = choice.routes.map((id) => known.find((route) => route.id === id) ?? id);
    const unknown = chosen.find((route) => typeof route === 'string');
    if (unknown !== undefined) {
      const ids = known.map(({ id }) => id).join(', ');
      throw commandFailed(`${taskType}.routes: there is no route ${unknown}; the routes are ${ids}.`);
    }
    requireEngines(
      chosen.flatMap((route) => (typeof route === 'string' ? [] : route.engine)),
      service,
    );
  }
}

/** Checks rules that involve more than the row itself. @throws {ExitError} */
function requireSensible(name: CatalogRowName, members: Readonly<Record<string, unknown>>, service: Service): void {
  if (name === 'routes') requireRoutes(members as Readonly<Record<string, EngineChoice>>, service);
  const stray = name === 'switches' && (members.off as string[]).find((id) => !Object.hasOwn(registry, id));
  if (stray) throw commandFailed(`off: there is no operation ${stray}.`);
}

const set = commandOnTarget({
  name: 'set',
  summary: `Replace members of a row with the JSON on standard input, effective within ${effectiveWithinSeconds} seconds; other members stay unchanged.`,
  operands: { row },
  async run({ row: name }, { service: connect, input }) {
    const service = await connect();
    const accepted = catalogRows[name].members(() => enginesOf(service));
    const given = await membersFrom(input);
    const problems = Object.entries(given).flatMap(([member, value]) => {
      const schema = Object.hasOwn(accepted, member) ? accepted[member]?.schema : undefined;
      if (!schema) return [`${member}: is not a field of ${name}; its fields are ${Object.keys(accepted).join(', ')}`];
      const { error } = schema().safeParse(value, { error: issueText });
      return error ? problemsOf(member, error) : [];
    });
    if (problems.length > 0) throw commandFailed(`${problems.join('; ')}.`);
    requireSensible(name, given, service);
    await storeOf(service).change(name, given);
    return { row: name, changed: Object.keys(given), effectiveWithinSeconds };
  },
});

const reset = command({
  name: 'reset',
  summary: `Restore the defaults of a row, or of one member, effective within ${effectiveWithinSeconds} seconds.`,
  operands: { row },
  options: { member: optional(textOf('MEMBER', 1, 120), 'A member of the row; all of them by default.') },
  async run({ row: name, member }, service) {
    const store = storeOf(service);
    const { stored, ignored } = await store.show(catalogRows[name]);
    const accepted = Object.keys(catalogRows[name].members(() => enginesOf(service)));
    const removable = [...stored, ...ignored];
    if (member !== undefined && !accepted.includes(member) && !removable.includes(member)) {
      throw usageError(`--member must be one of ${accepted.join(', ')}.`);
    }
    const removed = removable.filter((one) => member === undefined || one === member);
    if (removed.length > 0) await store.change(name, Object.fromEntries(removed.map((one) => [one, undefined])));
    return { row: name, reset: removed, effectiveWithinSeconds };
  },
});

export const catalogCommands: readonly Command[] = [show, set, reset];
