/** The host of an emulated stage's dashboard, which serves its pages and API calls as CloudFront does on AWS. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { listen } from '../../../fakes/listen.ts';
import { dashboardPath, operatePath } from '../../dashboard-site.ts';

export interface SiteFront {
  readonly port: number;
  readonly apiUrl: string;
  readonly emulatorUrl: string;
  /** The address of the emulated distribution, by which the emulator recognizes requests to it. */
  readonly distribution: string;
}

/** Where a request is forwarded: the emulator's CloudFront serves pages, but cannot reach its own API. */
function destinationOf(url: string, { apiUrl, distribution, emulatorUrl }: SiteFront) {
  if (url.startsWith(`${dashboardPath}/api/`) || url.startsWith(`${operatePath}/api/`))
    return { url: new URL(`${apiUrl}${url}`), headers: {} };
  return { url: new URL(url, emulatorUrl), headers: { host: distribution, 'x-forwarded-proto': 'https' } };
}

function forward(incoming: IncomingMessage, response: ServerResponse, front: SiteFront): void {
  const { host: _host, ...given } = incoming.headers;
  const { headers, url } = destinationOf(incoming.url ?? '/', front);
  const outgoing = request(url, { method: incoming.method ?? 'GET', headers: { ...given, ...headers } }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', (error) => {
    process.stderr.write(`Dashboard: ${error.message}\n`);
    if (!response.headersSent) response.writeHead(502);
    response.end();
  });
  incoming.pipe(outgoing);
}

export async function startSiteFront(front: SiteFront): Promise<{ readonly close: () => void }> {
  const server = createServer((incoming, response) => forward(incoming, response, front));
  await listen(server, front.port);
  return {
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
