/** stripe-mock as a process, behind a server that records the requests and completes the responses. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { stripeMockProgram } from '../../../infra/toolchain/stripe-mock-program.ts';
import { localServer } from '../../support/local-server.ts';
import { completed } from './completed-fixtures.ts';

export interface MockedExchange {
  /** The method and the path, with placeholders for ids. */
  readonly request: string;
  readonly status: number;
  /** The mock's error message; empty if it accepts the request. */
  readonly complaint: string;
}

export interface RunningMock {
  readonly url: string;
  readonly exchanges: MockedExchange[];
  close(): Promise<void>;
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

export async function startMock(reference: string): Promise<RunningMock> {
  const { url, child } = await startProcess();
  const exchanges: MockedExchange[] = [];
  const server = await localServer(async (request, response) => {
    const { method = 'GET', headers } = request;
    const body = await text(request);
    const mocked = await fetch(`${url}${request.url}`, {
      method,
      headers: {
        authorization: headers.authorization ?? '',
        'stripe-version': String(headers['stripe-version']),
        ...(headers['content-type'] && { 'content-type': headers['content-type'] }),
      },
      ...(method === 'POST' && { body }),
    });
    const { status } = mocked;
    const fixture: unknown = await mocked.json();
    const path = (request.url ?? '').replace(/\?.*/, '').replace(/\/[a-z]+_[a-zA-Z0-9_]*\d\w*/, '/*');
    const complaint = status === 200 ? '' : JSON.stringify(fixture);
    exchanges.push({ request: `${method} ${path}`, status, complaint });
    response.writeHead(status).end(JSON.stringify(completed(fixture, reference)));
  });
  return {
    url: server.url,
    exchanges,
    async close() {
      const ended = once(child, 'exit');
      child.kill();
      await Promise.all([ended, server.close()]);
    },
  };
}
