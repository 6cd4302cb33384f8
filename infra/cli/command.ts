/** What a command of the operator's tool consists of: reading its arguments and its help are readings of this. */
import type { Service, Target } from './service.ts';

/** A kind of value that an operator may give. */
export interface ValueKind<Value> {
  /** What stands for the value in a usage line. */
  readonly placeholder: string;
  /** Completes "must be …". */
  readonly accepts: string;
  /** Undefined when it is no such value. */
  readonly parse: (text: string) => Value | undefined;
}

export interface Parameter<Value, Required extends boolean = boolean> {
  readonly kind: ValueKind<Value>;
  readonly description: string;
  readonly required: Required;
}

export const required = <Value>(kind: ValueKind<Value>, description: string): Parameter<Value, true> => ({
  kind,
  description,
  required: true,
});

export const optional = <Value>(kind: ValueKind<Value>, description: string): Parameter<Value, false> => ({
  kind,
  description,
  required: false,
});

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** Of a command that takes none. */
type None = Readonly<Record<string, never>>;

type ValuesOf<All extends Parameters> = {
  readonly [Name in keyof All]: All[Name] extends Parameter<infer Value, infer Required>
    ? Value | (Required extends true ? never : undefined)
    : never;
};

interface Definition<Options extends Parameters, Operands extends Parameters, Result extends object, Subject> {
  readonly name: string;
  readonly summary: string;
  /** Given by position, in this order. */
  readonly operands?: Operands;
  /** Given as `--name value`. */
  readonly options?: Options;
  readonly run: (values: ValuesOf<Options & Operands>, subject: Subject) => Promise<Result>;
  /** The result for people; without it, one line a field. */
  readonly print?: (result: Result) => string;
}

/** A command as the tool's machinery sees it. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly operands: Parameters;
  readonly options: Parameters;
  /** Takes what its parameters' kinds made of the arguments. @throws {ExitError} */
  readonly run: (values: Readonly<Record<string, unknown>>, target: Target) => Promise<object>;
  readonly print: ((result: object) => string) | undefined;
}

/** Checks a command's run against its own parameters, then forgets their types: the table holds all kinds. */
const commandOn =
  <Subject>(subjectOf: (target: Target) => Promise<Subject>) =>
  <Result extends object, Options extends Parameters = None, Operands extends Parameters = None>({
    name,
    summary,
    operands,
    options,
    run,
    print,
  }: Definition<Options, Operands, Result, Subject>): Command => ({
    name,
    summary,
    operands: operands ?? {},
    options: options ?? {},
    run: async (values, target) => run(values as ValuesOf<Options & Operands>, await subjectOf(target)),
    print: print && ((result) => print(result as Result)),
  });

/** A command that works on a service. */
export const command = commandOn<Service>(({ service }) => service());

/** A command that needs no more than to know for which service it is: that one may not be there yet. */
export const commandWithoutService = commandOn<Target>(async (target) => target);
