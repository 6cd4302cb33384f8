/** Commands that change something: each performs the act of the same name, with a reason. */
import type * as z from 'zod';
import { reasonLimits } from '../../shared/contracts/operate-acts.ts';
import type { Act } from '../../shared/domain/operators/act.ts';
import { type ActNeeds, performAct } from '../../shared/domain/operators/perform-act.ts';
import { Rejection } from '../../shared/domain/rejection.ts';
import { type Command, commandOnTarget, type Definition, type Parameters, required } from './command.ts';
import { commandFailed, type ExitError, usageError } from './exit-error.ts';
import type { Service, Target } from './service.ts';
import { textOf } from './value-kinds.ts';

const reasonOption = {
  reason: required(
    textOf('TEXT', reasonLimits.least, reasonLimits.most),
    'Why, for the log of acts; without secrets, and without texts or addresses of customers.',
  ),
};

/** The error of a rejected act; if it names an option, the command line is invalid. */
function errorOf({ kind, message }: Rejection, options: Parameters): ExitError {
  const [word = ''] = message.split(' ', 1);
  if (kind === 'invalid' && Object.hasOwn(options, word)) return usageError(`--${message}.`);
  return commandFailed(message);
}

/** How a command performs an act. */
interface Acting<Needs, Schema extends z.ZodType, Result> {
  readonly target: Target;
  /** Connects to the service. @throws {ExitError} */
  readonly connect: () => Promise<Service>;
  /** @throws {ExitError} if the act is rejected */
  readonly perform: (service: Service, needs: Needs, input: z.input<Schema>) => Promise<Result>;
}

type ActDefinition<
  Options extends Parameters,
  Operands extends Parameters,
  Result extends object,
  Subject,
> = Definition<Options, Operands, Result, Subject>;

export function actCommand<
  Needs extends ActNeeds,
  Schema extends z.ZodType,
  State,
  Result extends object,
  Shown extends object,
  Options extends Parameters = Readonly<Record<string, never>>,
  Operands extends Parameters = Readonly<Record<string, never>>,
>(
  act: Act<Needs, Schema, State, Result>,
  definition: ActDefinition<Options, Operands, Shown, Acting<Needs, Schema, Result>>,
): Command {
  const { run, ...rest } = definition;
  const options = { ...(definition.options ?? ({} as Options)), ...reasonOption };
  const ofTarget = commandOnTarget<Shown, typeof options, Operands>({
    ...rest,
    options,
    run(values, target) {
      const { reason } = values as { readonly reason: string };
      return run(values, {
        target,
        connect: target.service,
        async perform(service, needs, input) {
          try {
            const operator = await target.operator();
            const performed = await service.acting(() => performAct(needs, act, { operator, reason, input }));
            return performed.result as Result;
          } catch (error) {
            throw error instanceof Rejection ? errorOf(error, options) : error;
          }
        },
      });
    },
  });
  return { ...ofTarget, act: act.name };
}
