/** The route of all tasks of test tokens; it is not in the catalog, and no other task can have it. */
import { videoPlatforms } from '../contracts/media.ts';
import { testEngineName } from '../engines/engine-names.ts';
import type { EngineRoute } from '../engines/route.ts';

const links = Object.keys(videoPlatforms) as (keyof typeof videoPlatforms)[];

export const testRoute: EngineRoute = { id: 'test', engine: testEngineName, takes: { videoUrl: { links } } };
