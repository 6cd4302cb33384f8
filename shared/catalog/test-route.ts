/** The route of all tasks of test tokens. It is not among the catalog's routes, so no other task can have it. */
import { testEngineName } from '../engines/engine-names.ts';
import type { EngineRoute } from '../engines/route.ts';

export const testRoute: EngineRoute = { id: 'test', engine: testEngineName };
