/** The route of all tasks of test tokens; it is not in the catalog, and no other task can have it. */
import { usualTestSeconds } from '../contracts/limits.ts';
import { videoPlatforms } from '../contracts/media.ts';
import { testEngineName } from '../engines/engine-names.ts';
import type { EngineRoute } from '../engines/route.ts';

const links = Object.keys(videoPlatforms) as (keyof typeof videoPlatforms)[];

export const testRoute: EngineRoute = { id: 'test', engine: testEngineName, takes: { videoUrl: { links } } };

/** How long its tasks take, which is not learned from them. */
export const testEstimate = { typicalMs: usualTestSeconds * 1000, spread: 0.5 } as const;
