/** How the offline engine makes everything: it is given requests as they are. */
import { taskTypes } from '../contracts/generate.ts';
import type { EngineChoice, EngineChoices } from './engine-choice.ts';

const asItIs: EngineChoice = { routes: [{ engine: 'offline' }] };

export const offlineEngines = Object.fromEntries(taskTypes.map((type) => [type, asItIs])) as EngineChoices;
