/** Routes: the ways in which engines make tasks, as data. What a model is sent for a request is in its engine's models. */
import type { GenerationBody, TaskType } from '../contracts/generate.ts';
import type { EngineName } from './engine-names.ts';

/** What a field of a request must be for a route to support it: given, absent, or one of these values. */
export type FieldCondition = 'given' | 'absent' | readonly (string | number | boolean)[];

/** A way to make tasks of one type. A task keeps the one that it was created for. */
export interface EngineRoute {
  /** `<engine>/<model>`: what catalog rows, tasks and circuits name the route by. */
  readonly id: string;
  readonly engine: EngineName;
  /** The requests that the model supports, by their fields; without it, all of them. */
  readonly takes?: Readonly<Record<string, FieldCondition>>;
}

/** An engine's routes by id: the task types that each makes, and which of their requests. */
export type RouteTable<Engine extends EngineName> = Readonly<
  Record<
    `${Engine}/${string}`,
    { readonly [Type in TaskType]?: { readonly [Field in keyof GenerationBody<Type>]?: FieldCondition } }
  >
>;
