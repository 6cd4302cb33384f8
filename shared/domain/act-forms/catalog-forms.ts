/** What acts on the catalog need, and who may perform them. */
import * as z from 'zod';
import { oneOf, text } from '../../contracts/fields.ts';
import { switchable } from '../../contracts/switchable.ts';
import { taskTypes } from '../../contracts/task-types.ts';
import { catalogRowNames } from '../catalog/catalog-row.ts';
import type { ActForms } from './act-form.ts';

const row = () => oneOf(catalogRowNames);

export const catalogForms = {
  changeCatalog: {
    name: 'changeCatalog',
    role: 'admin',
    summary: 'Replace members of a row of the catalog; other members stay unchanged.',
    input: () => z.strictObject({ row: row(), members: z.record(z.string(), z.unknown()) }),
  },
  resetCatalog: {
    name: 'resetCatalog',
    role: 'admin',
    summary: 'Restore the defaults of a row of the catalog, or of one member.',
    input: () => z.strictObject({ row: row(), member: text(1, 120).optional() }),
  },
  undoCatalog: {
    name: 'undoCatalog',
    role: 'admin',
    summary: 'Undo a change of a row of the catalog: its members get the values that they had before it.',
    input: () => z.strictObject({ row: row(), version: z.int().min(1).optional() }),
  },
  switchOperation: {
    name: 'switchOperation',
    role: 'admin',
    summary: 'Switch a task type, or an operation that creates no tasks, on or off.',
    input: () => z.strictObject({ type: z.enum(switchable), state: z.enum(['on', 'off']) }),
  },
  useRoutes: {
    name: 'useRoutes',
    role: 'admin',
    summary: 'Set the engines for a task type; later ones are fallbacks.',
    input: () => z.strictObject({ type: oneOf(taskTypes), engines: z.array(z.string().max(60)).min(1).max(20) }),
  },
  setPrice: {
    name: 'setPrice',
    role: 'admin',
    summary: 'Set a price of a task type; tasks that exist keep their cost.',
    input: () => z.strictObject({ type: oneOf(taskTypes), name: text(1, 60), value: z.int().min(1).max(1_000_000) }),
  },
} as const satisfies ActForms;
