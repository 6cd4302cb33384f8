/** The service's ports and its table, with a gate before each request and before each response. */

import * as stores from '../../../shared/domain/store-ports.ts';
import { type Engines, engines } from '../../../shared/engines/engines.ts';
import { inputsBucket, resultsBucket } from '../../../shared/platform/bucket.ts';
import type { Action, Item, Table } from '../../../shared/platform/dynamo-table.ts';
import { fileStorage } from '../../../shared/platform/file-storage.ts';
import { type Outbound, outbound } from '../../../shared/platform/outbound.ts';
import { webhookQueue } from '../../../shared/platform/queue.ts';
import { secretsManager } from '../../../shared/platform/secrets.ts';
import { storedObjects } from '../../../shared/platform/stored-objects.ts';
import { webhookSecretsOf } from '../../../shared/platform/webhook-secrets.ts';
import { stepFunctions } from '../../../shared/platform/workflow.ts';
import type { Context, PortFactories, PortName } from '../../../shared/runtime/context.ts';
import { textWriter } from '../../../shared/text-writers/text-writers.ts';
import type { Gates } from './gates.ts';

/** What is no request to anybody who could change what others see. */
const unseen = new Set(['admits', 'publicKeys', 'read', 'readCallback', 'sign', 'webhookTokenOf']);

/** The same port; all its functions are asynchronous. */
const gated = <Port extends object>({ occupy, pass }: Gates, name: string, port: Port): Port =>
  new Proxy(port, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const call = () => Reflect.apply(member, target, args) as Promise<unknown>;
        return unseen.has(String(property)) ? occupy(call) : pass(`${name}.${String(property)}`, call);
      };
    },
  });

/** Made when it is first asked for, and once: making clients takes longer than most operations. */
function once<Port>(make: (context: Context) => Port): (context: Context) => Port {
  let made: { readonly port: Port } | undefined;
  return (context) => {
    made ??= { port: make(context) };
    return made.port;
  };
}

function gatedEngines(gates: Gates, context: Context): Engines {
  const known = engines(context);
  return {
    named(name) {
      const engine = known.named(name);
      return engine && gated(gates, 'engine', engine);
    },
  };
}

/** What precedes a request is an operation's own, with gates of its own. */
function gatedOutbound(gates: Gates, context: Context): Outbound {
  const port = gated(gates, 'outbound', outbound(context));
  return {
    admits: (url) => port.admits(url),
    open: (url, request) => port.open(url, request),
    async fetch(url, { beforeSend, ...request }) {
      await beforeSend?.();
      return port.fetch(url, request);
    },
  };
}

/** All stores and other ports of one context: a function takes those that it needs. */
export const gatedPorts = (gates: Gates) =>
  ({
    ...stores,
    bucket: once((context) => gated(gates, 'bucket', resultsBucket(context))),
    engines: once((context) => gatedEngines(gates, context)),
    fileStorage: once((context) => gated(gates, 'files', fileStorage(context))),
    inputs: once((context) => gated(gates, 'inputs', inputsBucket(context))),
    outbound: once((context) => gatedOutbound(gates, context)),
    queue: once((context) => gated(gates, 'queue', webhookQueue(context))),
    secrets: once((context) => gated(gates, 'secrets', secretsManager(context))),
    storedObjects: once((context) => gated(gates, 'stored objects', storedObjects(context))),
    textWriter: once((context) => gated(gates, 'text writer', textWriter(context))),
    webhookSecrets: once((context) => gated(gates, 'webhook secrets', webhookSecretsOf(context))),
    workflow: once((context) => gated(gates, 'workflow', stepFunctions(context))),
  }) satisfies Partial<PortFactories<PortName>>;

/** What kind of row a key leads to, as a failed write names it. */
const rowOf = ({ pk, sk }: Item): string => {
  const kind = String(pk).split('#')[0] ?? '';
  return kind === 'TASK' ? String(sk) : kind;
};

const writtenBy = ({ Put, Update, Delete }: Action): string => rowOf(Put?.Item ?? Update?.Key ?? Delete?.Key ?? {});

export function gatedTable({ pass }: Gates, table: Table): Table {
  async function* walk(input: Parameters<Table['walk']>[0]) {
    yield* await pass(`query ${input.IndexName ?? 'rows'}`, () => Array.fromAsync(table.walk(input)));
  }
  return {
    ...table,
    walk,
    get: (key) => pass(`get ${rowOf({ ...key })}`, () => table.get(key)),
    getMany: (keys) => pass('get many', () => table.getMany(keys)),
    put: (input) => pass(`put ${rowOf(input.Item ?? {})}`, () => table.put(input)),
    update: (input) => pass(`update ${rowOf(input.Key ?? {})}`, () => table.update(input)),
    list: (input, range) => pass(`list ${input.IndexName ?? 'rows'}`, () => table.list(input, range)),
    transact: (actions) => pass(`transact ${actions.map(writtenBy).join(' + ')}`, () => table.transact(actions)),
  };
}
