/** Routes to the engines' models, as data. The mapping of requests is in each engine's models. */

import type { InputLimits, VideoPlatform } from '../contracts/media.ts';
import type { TaskType } from '../contracts/task-types.ts';
import type { EngineName } from './engine-names.ts';
import type { ModelRequest } from './model.ts';

/** A text of no more than so many characters. */
export interface TextCondition {
  readonly maxLength: number;
}

/** Files within limits, which may be narrower than the operation's: every file of the field is checked against them. */
export interface FileCondition extends Partial<InputLimits> {
  /** Whether there must be a file. */
  readonly given?: true;
  /** The platforms whose links are accepted besides files; without it, or without a condition on the field, none. */
  readonly links?: readonly VideoPlatform[];
  /** For an engine that nothing stops from working on more than was paid for. */
  readonly mustBeMeasured?: true;
}

/** What a route requires of a field: present, absent, one of these values, a short text, or files within limits. */
export type FieldCondition =
  | 'given'
  | 'absent'
  | readonly (string | number | boolean)[]
  | TextCondition
  | FileCondition;

/** A route for tasks of one type. A task keeps the route that it was created with. */
export interface EngineRoute {
  /** `<engine>/<model>`: the id of the route in catalog rows, tasks and circuits. */
  readonly id: string;
  readonly engine: EngineName;
  /** The engines that do the work of a route of the service's own workflow; a service without one has no such route. */
  readonly workers?: readonly EngineName[] | undefined;
  /** The requests that the model supports, by their fields and what the inspection added; without it, all of them. */
  readonly takes?: Readonly<Record<string, FieldCondition>>;
}

/** An engine's routes by id: the task types of each, and the requests that it supports, as inspected. */
export type RouteTable<Engine extends EngineName> = Readonly<
  Record<
    `${Engine}/${string}`,
    { readonly [Type in TaskType]?: { readonly [Field in keyof ModelRequest<Type>]?: FieldCondition } }
  >
>;
