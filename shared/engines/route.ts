/** Routes to the engines' models, as data. The mapping of requests is in each engine's models. */

import type { InputLimits, VideoPlatform } from '../contracts/media.ts';
import type { TaskType } from '../contracts/task-types.ts';
import type { EngineName, testEngineName } from './engine-names.ts';
import type { ModelRequest } from './model.ts';

/** Text of at most this many characters. */
export interface TextCondition {
  readonly maxLength: number;
}

/** Files within limits, which may be narrower than the operation's: every file of the field is checked against them. */
export interface FileCondition extends Partial<InputLimits> {
  /** Whether the request must have the file. */
  readonly given?: true;
  /** The video sites whose links are accepted in addition to files; none by default. */
  readonly links?: readonly VideoPlatform[];
  /**
   * Requires a measured duration and a copy of the measured file, because the engine does not limit its work to what was
   * paid for.
   */
  readonly mustBeMeasured?: true;
}

/** A route's condition on a field: present, absent, one of certain values, a short text, or files within limits. */
export type FieldCondition =
  | 'given'
  | 'absent'
  | readonly (string | number | boolean)[]
  | TextCondition
  | FileCondition;

/** A route for tasks of one type. A task keeps the route that was chosen when it was created. */
export interface EngineRoute {
  /** The route's id, `<engine>/<model>`, which identifies it in catalog rows, tasks and circuits. */
  readonly id: string;
  readonly engine: EngineName | typeof testEngineName;
  /** The engines that a route of the service's own workflow uses; without all of them, the route is not available. */
  readonly workers?: readonly EngineRoute['engine'][] | undefined;
  /**
   * The requests that the model supports, as conditions on fields of the request and its inspection; all by default.
   */
  readonly takes?: Readonly<Record<string, FieldCondition>>;
}

/** An engine's routes by id: the task types of each, and the requests that it supports. */
export type RouteTable<Engine extends EngineName> = Readonly<
  Record<
    `${Engine}/${string}`,
    { readonly [Type in TaskType]?: { readonly [Field in keyof ModelRequest<Type>]?: FieldCondition } }
  >
>;
