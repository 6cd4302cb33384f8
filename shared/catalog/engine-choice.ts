/** What a choice of engines consists of: the ways in which tasks of a type can be made. */
import * as z from 'zod';
import { longestTimeLimitSeconds, type TaskType } from '../contracts/generate.ts';
import { once } from '../contracts/once.ts';
import { engineNames } from '../engines/engine-names.ts';

/** What a request must have in a field for a route to take it: the field at all, not at all, or one of these values. */
const FieldCondition = once(() =>
  z.union([z.enum(['given', 'absent']), z.array(z.union([z.string(), z.number(), z.boolean()])).readonly()]),
);
export type FieldCondition = z.output<ReturnType<typeof FieldCondition>>;

/** A way to have something made. A task keeps the one that it was created for. */
const EngineRoute = once(() =>
  z.strictObject({
    engine: z.enum(engineNames),
    /** The engine's own name of the model; the offline engine has none. */
    model: z.string().min(1).max(200).exactOptional(),
    /** A JSONata expression that makes what the model takes out of the accepted request; without it, that is what it takes. */
    input: z.string().min(1).max(4000).exactOptional(),
    /** The requests that the model can do, by their fields; without it, all of them. */
    takes: z.record(z.string(), FieldCondition()).exactOptional(),
  }),
);
export type EngineRoute = Readonly<z.output<ReturnType<typeof EngineRoute>>>;

export const EngineChoice = once(() =>
  z.strictObject({
    /** The first that takes a request and whose circuit is closed makes it; the others stand in for it. */
    routes: z.array(EngineRoute()).min(1).max(5).readonly(),
    /** How long the task may take before it fails with PROVIDER_TIMEOUT; by default, as its operation declares. */
    timeLimitSeconds: z.int().min(30).max(longestTimeLimitSeconds).exactOptional(),
  }),
);
export type EngineChoice = Readonly<z.output<ReturnType<typeof EngineChoice>>>;

export type EngineChoices = Readonly<Record<TaskType, EngineChoice>>;
