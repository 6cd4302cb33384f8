/** Operators' acts on the catalog. The log is also its history: each change has a version, and can be undone. */
import * as z from 'zod';
import { choicesOf } from '../../catalog/engines.ts';
import { operationOf } from '../../contracts/switchable.ts';
import { catalogForms } from '../act-forms/catalog-forms.ts';
import type { catalogRowNames } from '../catalog/catalog-row.ts';
import { catalogRows } from '../catalog/catalog-rows.ts';
import { act } from './act.ts';
import { actLog } from './act-log.ts';
import {
  afterChange,
  type CatalogNeeds,
  commitChange,
  foundChange,
  type Members,
  membersOf,
  refused,
  requireMembers,
  storeOf,
} from './catalog-change.ts';

const showRow = (needs: CatalogNeeds, name: (typeof catalogRowNames)[number]) => storeOf(needs).show(catalogRows[name]);

export const changeCatalog = act({
  ...catalogForms.changeCatalog,
  commits: 'at-once',
  async find(needs: CatalogNeeds, { row: name, members }) {
    if (Object.keys(members).length === 0) throw refused('members must have at least one member');
    requireMembers(needs, name, members);
    const shown = await showRow(needs, name);
    return foundChange(shown, { row: name, from: shown.version, members });
  },
  after: (_input, found) => afterChange(found),
  async perform(needs, { row: name, members }, acting) {
    await commitChange(needs, acting);
    return { row: name, changed: Object.keys(members) };
  },
});

export const resetCatalog = act({
  ...catalogForms.resetCatalog,
  commits: 'at-once',
  async find(needs: CatalogNeeds, { row: name, member }) {
    const shown = await showRow(needs, name);
    const removable = [...shown.stored, ...shown.ignored];
    const accepted = Object.keys(membersOf(needs, name));
    if (member !== undefined && ![...accepted, ...removable].includes(member)) {
      throw refused(`member must be one of ${accepted.join(', ')}`);
    }
    const removed = removable.filter((one) => member === undefined || one === member);
    const members: Members = Object.fromEntries(removed.map((one) => [one, undefined]));
    return foundChange(shown, { row: name, from: shown.version, members });
  },
  after: (_input, found) => afterChange(found),
  async perform(needs, { row: name }, acting) {
    await commitChange(needs, acting);
    return { row: name, reset: Object.keys(acting.found.state.members) };
  },
});

const LoggedChange = z.object({ version: z.int(), members: z.record(z.string(), z.unknown()) });

/**
 * The members that a change replaced, with their earlier values.
 * @throws {Rejection} if the log does not have the change
 */
async function replacedBy({ table }: CatalogNeeds, name: (typeof catalogRowNames)[number], version: number) {
  const log = actLog(table);
  let before: string | undefined;
  do {
    const entries = await log.of(`catalog/${name}`, { limit: 20, before });
    const found = entries.find(({ state, after }) => state === 'done' && after?.version === version);
    const { success, data } = LoggedChange.safeParse(found?.before);
    if (success) return data.members;
    before = entries.at(-1)?.actId;
  } while (before !== undefined);
  throw refused(`version must be one in the history of the row ${name}: there is no change ${version}`);
}

export const undoCatalog = act({
  ...catalogForms.undoCatalog,
  commits: 'at-once',
  async find(needs: CatalogNeeds, { row: name, version }) {
    const shown = await showRow(needs, name);
    const undone = version ?? shown.version;
    const replaced = await replacedBy(needs, name, undone);
    const members = Object.fromEntries(Object.entries(replaced).map(([one, value]) => [one, value ?? undefined]));
    const restored = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
    if (Object.keys(restored).length > 0) requireMembers(needs, name, restored);
    return foundChange(shown, { row: name, from: shown.version, members, undone });
  },
  after: (_input, found) => ({ ...afterChange(found), undone: found.state.undone }),
  async perform(needs, { row: name }, acting) {
    await commitChange(needs, acting);
    const { members, undone } = acting.found.state;
    return { row: name, undone, restored: Object.keys(members) };
  },
});

export const switchOperation = act({
  ...catalogForms.switchOperation,
  commits: 'at-once',
  async find(needs: CatalogNeeds, { type, state }) {
    const shown = await showRow(needs, 'switches');
    const operation = operationOf(type);
    const others = (shown.members.off as string[]).filter((one) => one !== operation);
    const off = state === 'off' ? [...others, operation].toSorted() : others;
    return foundChange(shown, { row: 'switches', from: shown.version, members: { off }, operation });
  },
  after: (_input, found) => afterChange(found),
  async perform(needs, { type, state }, acting) {
    await commitChange(needs, acting);
    return { type, operation: acting.found.state.operation, state };
  },
});

export const useRoutes = act({
  ...catalogForms.useRoutes,
  commits: 'at-once',
  async find(needs: CatalogNeeds, { type, engines }) {
    const choice = choicesOf(engines)[type];
    if (choice.routes.length === 0) throw refused(`None of these engines supports tasks of type ${type}.`);
    const members = { [type]: choice };
    requireMembers(needs, 'routes', members);
    const shown = await showRow(needs, 'routes');
    return foundChange(shown, { row: 'routes', from: shown.version, members, routes: choice.routes });
  },
  after: (_input, found) => afterChange(found),
  async perform(needs, { type }, acting) {
    await commitChange(needs, acting);
    return { type, routes: acting.found.state.routes };
  },
});

/** The catalog names prices in camelCase. */
export const priceMemberOf = (taskType: string): string =>
  taskType.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

export const setPrice = act({
  ...catalogForms.setPrice,
  commits: 'at-once',
  async find(needs: CatalogNeeds, { type, name, value }) {
    const shown = await showRow(needs, 'prices');
    const member = priceMemberOf(type);
    const prices = shown.members[member] as Readonly<Record<string, number>> | undefined;
    if (!prices) throw refused('Studio videos cost what their modes say: change them in the row studio.');
    const before = prices[name];
    if (before === undefined) throw refused(`name must be one of ${Object.keys(prices).join(', ')}`);
    const members = { [member]: { ...prices, [name]: value } };
    return foundChange(shown, { row: 'prices', from: shown.version, members, price: before });
  },
  after: (_input, found) => afterChange(found),
  async perform(needs, { type, name, value }, acting) {
    await commitChange(needs, acting);
    return { type, name, before: acting.found.state.price, value };
  },
});
