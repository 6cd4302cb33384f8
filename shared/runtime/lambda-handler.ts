/** What Lambda calls: a definition, bound to the context of the process's environment by the first call. */
import { createContext, type Definition } from './context.ts';

type Handler = (event: never, context: never) => Promise<unknown>;

export function lambdaHandler<Bound extends Handler>(definition: Definition<Bound>) {
  let bound: Bound | undefined;
  return (event: Parameters<Bound>[0], context: Parameters<Bound>[1]): Promise<unknown> => {
    bound ??= definition(createContext(process.env));
    return bound(event, context);
  };
}
