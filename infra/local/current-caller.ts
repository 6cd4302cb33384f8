/** Who causes the work that is being done, so that callers can take turns. */
import { AsyncLocalStorage } from 'node:async_hooks';

const callers = new AsyncLocalStorage<string>();

/** Does work that is caused by a caller, at once or later. */
export const asCaller = <Result>(caller: string, work: () => Result): Result => callers.run(caller, work);

/** The caller; steps of workflows, which no request waits for, count as one. */
export const currentCaller = (): string => callers.getStore() ?? 'workflows';
