/** Records function invocations: their duration, response size and log output. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Call } from '../../../bench/cost/task-record.ts';
import { documents, inbound, operations } from '../../../functions/index.ts';
import { type LocalFunctions, wrapFunctions } from '../../../infra/local/functions.ts';
import type { LambdaHandler } from '../../../infra/local/lambda-host.ts';

export interface FunctionMeter {
  readonly functions: LocalFunctions;
  /** Completed calls, in order of completion. */
  readonly calls: readonly Call[];
  readonly running: number;
}

type Open = { logLines: number; logBytes: number };

/** The call that the running code belongs to. */
const current = new AsyncLocalStorage<Open>();

const httpFunctions = new Set(Object.keys({ ...operations, ...inbound, ...documents }));

interface HttpResponse {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: string;
}

/**
 * The size of a response's headers and body; a header consists of its name, its value, a colon, a space and a line
 * break.
 */
function responseBytes({ headers = {}, body = '' }: HttpResponse): number {
  const head = Object.entries(headers).map(([name, value]) => Buffer.byteLength(`${name}${String(value)}`) + 4);
  return head.reduce((sum, bytes) => sum + bytes, Buffer.byteLength(body));
}

export function functionMeter(functions: LocalFunctions): FunctionMeter {
  const calls: Call[] = [];
  let running = 0;

  const metered =
    (functionName: string, handler: LambdaHandler): LambdaHandler =>
    async (event, context) => {
      const open: Open = { logLines: 0, logBytes: 0 };
      const isHttp = httpFunctions.has(functionName);
      const startedAt = performance.now();
      running += 1;
      let response: HttpResponse = {};
      try {
        const result = await current.run(open, () => handler(event, context));
        if (isHttp) response = result as HttpResponse;
        return result;
      } finally {
        running -= 1;
        const ms = performance.now() - startedAt;
        calls.push({ functionName, ms, ...open, responseBytes: responseBytes(response), isHttp });
      }
    };

  return {
    functions: wrapFunctions(metered, functions),
    calls,
    get running() {
      return running;
    },
  };
}

/** Counts and suppresses what functions write to the log; passes other output through. */
export function countLogs(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    stream.write = (text: string | Uint8Array, ...rest: unknown[]): boolean => {
      const open = current.getStore();
      if (!open) return write(text, ...rest);
      open.logBytes += Buffer.byteLength(text);
      open.logLines += Buffer.from(text).toString().split('\n').filter(Boolean).length;
      return true;
    };
  }
}
