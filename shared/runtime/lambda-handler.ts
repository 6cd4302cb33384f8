/** Creates the handler that Lambda calls: a definition bound to a context of the process's environment. */
import { Logger } from '@aws-lambda-powertools/logger';
import { settingVariables } from '../platform/settings.ts';
import { warmUpAccess } from '../platform/warm-up-access.ts';
import { createContext, type Definition } from './context.ts';

/**
 * A logger that writes nothing, for warm-ups. A log level would not silence one: Lambda's own setting takes precedence.
 */
class SilentLogger extends Logger {
  protected override printLog(): void {}
}

type Handler = (event: never, context: never) => Promise<unknown>;

export function lambdaHandler<Bound extends Handler>(definition: Definition<Bound>) {
  let bound: Bound | undefined;
  const bind = (): Bound => {
    bound ??= definition(createContext(process.env));
    return bound;
  };
  return {
    handler: (event: Parameters<Bound>[0], context: Parameters<Bound>[1]): Promise<unknown> => bind()(event, context),
    /** The warm-up runs during initialization, because Lambda provides a full processor only until then. */
    async warmUp(): Promise<void> {
      bind();
      const environment = { ...process.env, [settingVariables.metricsDisabled]: 'true' };
      const offline = { ...createContext(environment, { connect: warmUpAccess }), logger: new SilentLogger() };
      await Promise.all([
        offline.table.update({ Key: { pk: 'warm-up', sk: 'warm-up' }, UpdateExpression: 'SET a = b' }),
        definition.warmUp?.(offline),
      ]);
    },
  };
}
