/** The catalog's choice of routes for a task type. */
import * as z from 'zod';
import { longestTimeLimitSeconds } from '../contracts/limits.ts';
import { once } from '../contracts/once.ts';
import type { TaskType } from '../contracts/task-types.ts';

export const EngineChoice = once(() =>
  z.strictObject({
    /** Route ids in order of preference: the first that supports the request and has a closed circuit is used. */
    routes: z.array(z.string().min(1).max(100)).min(1).max(10).readonly(),
    /** How long a task may take before it fails with PROVIDER_TIMEOUT; by default, the operation's own limit. */
    timeLimitSeconds: z.int().min(30).max(longestTimeLimitSeconds).exactOptional(),
  }),
);
export type EngineChoice = Readonly<z.output<ReturnType<typeof EngineChoice>>>;

export type EngineChoices = Readonly<Record<TaskType, EngineChoice>>;
