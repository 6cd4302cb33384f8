/** The context of a process that hosts many functions, which share its stores. */
import { type HostedStores, stores } from '../domain/stores.ts';
import { type Context, createContext } from './context.ts';

export type FullContext = Context & HostedStores;

export function createFullContext(...given: Parameters<typeof createContext>): FullContext {
  const context = createContext(...given);
  return { ...context, ...stores(context.table, context.clock, context.settings) };
}
