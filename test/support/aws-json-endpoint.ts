/** An endpoint with AWS's JSON protocol, for AWS services that no emulator provides. */
import { text } from 'node:stream/consumers';
import { type LocalServer, localServer } from './local-server.ts';

export type Parameters = Readonly<Record<string, string>>;

/** `respond` returns the body of a response, with `__type` for an error; undefined is a `NotFoundException`. */
export const awsJsonEndpoint = (
  respond: (operation: string, parameters: Parameters) => object | undefined | Promise<object | undefined>,
): Promise<LocalServer> =>
  localServer(async (request, response) => {
    const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
    const notFound = { __type: 'NotFoundException', message: 'there is no such thing' };
    const body = (await respond(operation, JSON.parse(await text(request)) as Parameters)) ?? notFound;
    response.writeHead('__type' in body ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(body));
  });
