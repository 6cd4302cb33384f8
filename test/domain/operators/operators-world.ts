/** Operators and their acts, on a real table. */
import type * as z from 'zod';
import type { Act } from '../../../shared/domain/operators/act.ts';
import type { Operator } from '../../../shared/domain/operators/operator.ts';
import { type ActNeeds, type ActRequest, performAct } from '../../../shared/domain/operators/perform-act.ts';
import { stores } from '../../../shared/domain/stores.ts';
import type { Clock } from '../../../shared/platform/clock.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { testIds } from '../../support/test-table.ts';

export const operatorNamed = (name: string, role: Operator['role'] = 'admin'): Operator => ({ id: name, name, role });

/** The dependencies of acts on accounts, credits and the catalog. */
export const needsOn = (table: Table, clock: Clock) => ({
  ...stores(table, clock),
  clock,
  ids: testIds,
  settings: { engines: 'offline' } as const,
});

/** Performs an act, with a reason. */
export const perform = <Needs extends ActNeeds, Schema extends z.ZodType, State, Result extends object>(
  needs: Needs,
  act: Act<Needs, Schema, State, Result>,
  input: unknown,
  { operator = operatorNamed('ana'), ...given }: Partial<ActRequest> = {},
) => performAct(needs, act, { operator, reason: 'Tried by a test.', input, ...given });
