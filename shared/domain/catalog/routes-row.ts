/** The engine routes of each task type. */
import { EngineChoice, type EngineChoices } from '../../catalog/engine-choice.ts';
import { availableChoices, choicesOf } from '../../catalog/engines.ts';
import { taskTypes } from '../../contracts/task-types.ts';
import type { CatalogRow } from './catalog-row.ts';

export const routesRow: CatalogRow<EngineChoices> = {
  name: 'routes',
  members: (engineNames) => {
    const routes = choicesOf(engineNames());
    return Object.fromEntries(taskTypes.map((type) => [type, { schema: EngineChoice, byDefault: routes[type] }]));
  },
  toValue: (members, engineNames) => availableChoices(members as unknown as EngineChoices, engineNames()),
};
