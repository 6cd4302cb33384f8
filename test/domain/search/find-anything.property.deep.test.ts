/**
 * Every row is found by each of its handles, such as an email address or an id, with its account; once it is gone, by
 * none of them.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { folded } from '../../../shared/domain/handle-keys.ts';
import { modelRuns } from '../../support/model-runs.ts';
import { tableInTests } from '../../support/test-table.ts';
import { findableWorld, newText } from './findable-world.ts';

const host = await tableInTests();

/** Names that differ in case, accents and spaces alone, and names that begin with one another. */
const name = fc.constantFrom(
  'José da Silva',
  'JOSE  DA SILVA',
  'José',
  'Ártemis',
  'Ana',
  '李小龙',
  'Ana @ Loja/Centro',
);

const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('token', 'subscription', 'billingCase'), isLast: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('task', 'order'), isLast: fc.boolean() }),
  fc.record({ kind: fc.constant('page'), name, outcome: fc.constantFrom('kept', 'renamed', 'removed') }),
);
const accounts = fc.array(fc.record({ name, steps: fc.array(step, { maxLength: 5 }) }), { minLength: 1, maxLength: 3 });

type Step = Readonly<Record<string, unknown>> & { readonly kind: string };

test('a stored record is found by each of its search keys, a unique key finds nothing else, and deleted records are not found', async () => {
  const property = fc.asyncProperty(accounts, async (given) => {
    const world = findableWorld(host.table);
    for (const one of given) {
      // A prefix that the names of no other run have, so that all names of a run fit on one page.
      const prefix = newText('');
      const accountId = await world.account(`${prefix} ${one.name}`);
      for (const done of one.steps as readonly Step[]) {
        if (done.kind === 'page') await world.page(accountId, `${prefix} ${String(done.name)}`, done.outcome as 'kept');
        else if (done.kind === 'task') await world.task(accountId, done.isLast === true);
        else if (done.kind === 'order') await world.order(accountId, done.isLast === true);
        else await world[done.kind as 'token'](accountId);
      }
    }
    for (const { accountId, former, handles, id, kind } of world.expected) {
      for (const { text, isUnique } of handles) {
        const found = await world.find(text);
        expect(found, text).toContainEqual(expect.objectContaining({ kind, id, accountId }));
        if (isUnique) expect(new Set(found.map((one) => one.accountId)), text).toEqual(new Set([accountId]));
      }
      // A page that an account connects later may have the same name as an earlier one.
      const names = world.expected.filter((one) => one.accountId === accountId).flatMap((one) => one.handles);
      const isTaken = (text: string) => names.some((one) => folded(one.text).startsWith(folded(text)));
      for (const { text } of former.filter((one) => !isTaken(one.text))) {
        const found = (await world.find(text)).filter((one) => one.kind === kind && one.accountId === accountId);
        expect(found, text).toEqual([]);
      }
    }
  });
  await fc.assert(property, modelRuns(12));
});
