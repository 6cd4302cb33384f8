/** Plans, checks and commits changes of the catalog. */
import type * as z from 'zod';
import type { EngineChoice } from '../../catalog/engine-choice.ts';
import { allRoutesOf, availableChoices } from '../../catalog/engines.ts';
import { isSwitchable } from '../../contracts/switchable.ts';
import type { TaskType } from '../../contracts/task-types.ts';
import { ConditionFailed } from '../../platform/dynamo-table.ts';
import { namesIn, type Settings } from '../../platform/settings.ts';
import type { CatalogRowName } from '../catalog/catalog-row.ts';
import { catalogRows } from '../catalog/catalog-rows.ts';
import { catalogStore, type ShownRow } from '../catalog/catalog-store.ts';
import { Rejection } from '../rejection.ts';
import type { Acting, Found } from './act.ts';
import { issueText } from './issue-text.ts';
import type { ActNeeds } from './perform-act.ts';

export type CatalogNeeds = ActNeeds & { readonly settings: Pick<Settings, 'engines'> };

export type Members = Readonly<Record<string, unknown>>;

export const refused = (message: string): Rejection => new Rejection('invalid', { message });

const enginesOf = ({ settings }: CatalogNeeds): readonly string[] => namesIn(settings.engines);

export const storeOf = (needs: CatalogNeeds, table = needs.table) =>
  catalogStore(table, needs.clock, () => enginesOf(needs));

export const membersOf = (needs: CatalogNeeds, row: CatalogRowName) => catalogRows[row].members(() => enginesOf(needs));

const problemsOf = (member: string, { issues }: z.ZodError): string[] =>
  issues.map(({ path, message }) => `${[member, ...path].join('.')}: ${message}`);

/** Rejects unknown routes, which would be ignored, and routes whose tasks would fail because an engine is missing. */
function requireRoutes(choices: Readonly<Record<string, EngineChoice>>, needs: CatalogNeeds): void {
  const configured = enginesOf(needs);
  const possible = availableChoices({ ...storeDefaults(needs), ...choices }, configured);
  for (const [taskType, { routes }] of Object.entries(choices)) {
    const known = allRoutesOf(taskType as TaskType);
    for (const id of routes) {
      const route = known.find((one) => one.id === id);
      if (!route) {
        const ids = known.map((one) => one.id).join(', ');
        throw refused(`${taskType}.routes: there is no route ${id}; the routes are ${ids}.`);
      }
      if (!possible[taskType as TaskType].routes.includes(id)) throw noEngine(route.engine, configured);
    }
  }
}

const noEngine = (name: string, configured: readonly string[]): Rejection =>
  refused(
    `This service has no engine ${name}; tasks sent there would fail. It has ${configured.join(', ') || 'none'}.`,
  );

const storeDefaults = (needs: CatalogNeeds) =>
  Object.fromEntries(
    Object.entries(membersOf(needs, 'routes')).map(([name, { byDefault }]) => [name, byDefault as EngineChoice]),
  ) as Readonly<Record<TaskType, EngineChoice>>;

/** @throws {Rejection} that names the members, which values they accept, and rules that involve more than the row */
export function requireMembers(needs: CatalogNeeds, row: CatalogRowName, given: Members): void {
  const accepted = membersOf(needs, row);
  const problems = Object.entries(given).flatMap(([member, value]) => {
    const schema = Object.hasOwn(accepted, member) ? accepted[member]?.schema : undefined;
    if (!schema) return [`${member}: is not a field of ${row}; its fields are ${Object.keys(accepted).join(', ')}`];
    const { error } = schema().safeParse(value, { error: issueText });
    return error ? problemsOf(member, error) : [];
  });
  if (problems.length > 0) throw refused(`${problems.join('; ')}.`);
  if (row === 'routes') requireRoutes(given as Readonly<Record<string, EngineChoice>>, needs);
  const stray = row === 'switches' && (given.off as string[]).find((name) => !isSwitchable(name));
  if (stray) throw refused(`off: there is no operation ${stray}.`);
}

/** A change of a row that was read in a certain version. A member that is undefined gets its default again. */
export interface CatalogChange {
  readonly row: CatalogRowName;
  readonly from: number;
  readonly members: Members;
}

/** Members as the log shows them; null stands for the default. */
const logged = (version: number, members: Members) => ({
  version,
  members: Object.fromEntries(Object.entries(members).map(([name, value]) => [name, value ?? null])),
});

/**
 * The subject of an act that changes the catalog: the row with its current values, and with those that it will have.
 */
export function foundChange<State extends CatalogChange>(shown: ShownRow, state: State): Found<State> {
  const { row, members } = state;
  const stored = new Set(shown.stored);
  const before = Object.keys(members).map((name) => [name, stored.has(name) ? shown.members[name] : undefined]);
  return {
    of: `catalog/${row}`,
    subject: `catalog ${row}`,
    before: logged(shown.version, Object.fromEntries(before)),
    state,
  };
}

export const afterChange = ({ state: { from, members } }: Found<CatalogChange>) => logged(from + 1, members);

/** Commits a change. @throws {Rejection} in-progress, if the row has changed since it was read */
export async function commitChange(
  needs: CatalogNeeds,
  { found, recording }: Pick<Acting<CatalogChange>, 'found' | 'recording'>,
): Promise<void> {
  const { row, from, members } = found.state;
  try {
    await storeOf(needs, recording()).change(row, members, from);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new Rejection('in-progress', { message: `The row ${row} was changed in the meantime: try again.` });
  }
}
