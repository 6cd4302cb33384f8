/** stripe-mock as a process, behind a proxy that records the requests and completes the responses. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { stripeMockProgram } from '../../../infra/toolchain/stripe-mock-program.ts';
import { proxy } from '../faults/proxy.ts';
import { completed } from './completed-fixtures.ts';

interface MockedExchange {
  /** The method and the path, with placeholders for ids. */
  readonly request: string;
  readonly status: number;
  /** The mock's error message; empty if it accepts the request. */
  readonly complaint: string;
}

async function startProcess() {
  const child = spawn(await stripeMockProgram(), ['-http-port', '0', '-https-port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(child.stdout)) {
    const [, port] = /Listening for HTTP at address: .*:(\d+)$/.exec(line) ?? [];
    if (port !== undefined) return { url: `http://127.0.0.1:${port}`, child };
  }
  throw new Error('stripe-mock ended before it listened.');
}

export async function startMock(reference: string) {
  const { url, child } = await startProcess();
  const exchanges: MockedExchange[] = [];
  const { close, url: proxyUrl } = await proxy(async ({ incoming, forward }) => {
    const { status, body = '' } = await forward(url);
    const path = (incoming.url ?? '').replace(/\?.*/, '').replace(/\/[a-z]+_[a-zA-Z0-9_]*\d\w*/, '/*');
    const complaint = status === 200 ? '' : String(body);
    exchanges.push({ request: `${incoming.method} ${path}`, status, complaint });
    return { status, body: JSON.stringify(completed(JSON.parse(String(body)), reference)) };
  });
  return {
    url: proxyUrl,
    exchanges,
    async close() {
      const ended = once(child, 'exit');
      child.kill();
      await Promise.all([ended, close()]);
    },
  };
}
