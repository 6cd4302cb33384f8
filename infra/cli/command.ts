/** The definition of an operator's command, from which the parser, the help and the completion are generated. */
import type { Service, Target } from './service.ts';
import { type Row, table } from './text-output.ts';

/** A kind of value for an argument or option. */
export interface ValueKind<Value> {
  /** The placeholder in a usage line. */
  readonly placeholder: string;
  /** What the kind accepts; completes the message "must be …". */
  readonly accepts: string;
  /** Parses a value; undefined if it is invalid. */
  readonly parse: (text: string) => Value | undefined;
  /** Finds in the service what a parsed string stands for; absent if it stands for itself. @throws {ExitError} */
  readonly resolve?: (parsed: string, service: Target['service']) => Promise<Value>;
  /** All values, if they are few; for completion. */
  readonly values?: readonly string[];
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

/** An option without a value. */
export const flag = (description: string): Parameter<true, false> =>
  optional({ placeholder: '', accepts: 'given without a value', parse: () => true }, description);

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** The default of commands without operands or options. */
type None = Readonly<Record<string, never>>;

type ValuesOf<All extends Parameters> = {
  readonly [Name in keyof All]: All[Name] extends Parameter<infer Value, infer Required>
    ? Value | (Required extends true ? never : undefined)
    : never;
};

export interface Definition<Options extends Parameters, Operands extends Parameters, Result extends object, Subject> {
  readonly name: string;
  readonly summary: string;
  /** Positional arguments, in this order. */
  readonly operands?: Operands;
  /** Options, passed as `--name value`. */
  readonly options?: Options;
  readonly run: (values: ValuesOf<Options & Operands>, subject: Subject) => Promise<Result>;
  /** The rows of a list, which can be printed as CSV. */
  readonly rows?: (result: Result) => readonly Row[];
  /** What is printed if the list has no rows. */
  readonly whenEmpty?: string;
  /** Formats the result as text; by default, a table of the rows, or else one line per field. */
  readonly print?: (result: Result) => string;
  /** Whether the exit code is 0 for this result; by default, always. */
  readonly isSuccess?: (result: Result) => boolean;
}

/** A command without its specific parameter types. */
export interface Command {
  readonly name: string;
  /** The name of the act that the command performs; only such commands change anything. */
  readonly act?: string;
  readonly summary: string;
  readonly operands: Parameters;
  readonly options: Parameters;
  /** Executes the command with parsed values. @throws {ExitError} */
  readonly run: (values: Readonly<Record<string, unknown>>, target: Target) => Promise<object>;
  readonly rows: ((result: object) => readonly Row[]) | undefined;
  readonly print: ((result: object) => string) | undefined;
  readonly isSuccess: (result: object) => boolean;
}

/**
 * Checks a command's `run` against its parameters, then erases their types, so that one table can hold all commands.
 */
const commandOn =
  <Subject>(subjectOf: (target: Target) => Promise<Subject>) =>
  <Result extends object, Options extends Parameters = None, Operands extends Parameters = None>({
    name,
    summary,
    operands,
    options,
    run,
    rows,
    whenEmpty = 'There are none.',
    print = rows && ((result) => table(rows(result), whenEmpty)),
    isSuccess = () => true,
  }: Definition<Options, Operands, Result, Subject>): Command => ({
    name,
    summary,
    operands: operands ?? {},
    options: options ?? {},
    run: async (values, target) => run(values as ValuesOf<Options & Operands>, await subjectOf(target)),
    rows: rows && ((result) => rows(result as Result)),
    print: print && ((result) => print(result as Result)),
    isSuccess: (result) => isSuccess(result as Result),
  });

/** A command that connects to a service. */
export const command = commandOn<Service>(({ service }) => service());

/** A command that reads standard input, or whose target may not be deployed yet. */
export const commandOnTarget = commandOn<Target>(async (target) => target);
