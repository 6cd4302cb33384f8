/**
 * Turns a state machine's step, a schedule or an event into a call: parses the input by its contract and logs failures.
 */
import middy from '@middy/core';
import type { Context as LambdaContext } from 'aws-lambda';
import type * as z from 'zod';
import { bindPorts, type Context, type Definition, type PortFactories, type PortName, type With } from './context.ts';

export type StepHandler = (event: unknown, context: LambdaContext) => Promise<unknown>;

export type Step<Input extends () => z.ZodType, Names extends PortName = never> = (
  input: z.output<ReturnType<Input>>,
  context: With<Names>,
) => Promise<unknown>;

interface Request {
  event: unknown;
  error?: unknown;
}

/** Defines a step. The state machine's Retry handles its errors. */
export function stepLambda<Input extends () => z.ZodType, Names extends PortName = never>(
  name: string,
  input: Input,
  step: Step<Input, Names>,
  ports: PortFactories<Names> = {} as PortFactories<Names>,
): Definition<StepHandler> {
  const define = (context: Context) => {
    const needs = bindPorts(context, ports);
    const chain = middy()
      .before((request: Request) => {
        request.event = input().parse(request.event);
      })
      .onError((request: Request) => {
        context.logger.error('step failed', { step: name, error: request.error as Error });
      })
      .handler((event: unknown) => step(event as z.output<ReturnType<Input>>, needs()));
    return chain as StepHandler;
  };
  return Object.assign(define, { ports });
}
