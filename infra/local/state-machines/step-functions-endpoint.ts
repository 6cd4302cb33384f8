/** Step Functions' protocol: AWS JSON 1.0 over HTTP. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Json, parseJson } from '../json.ts';
import { StateMachineError } from './state-machine-error.ts';
import type { Operation } from './step-functions-operations.ts';

export function stepFunctionsEndpoint(operations: ReadonlyMap<string, Operation>): Server {
  return createServer((request, response) => {
    text(request).then(
      (body) => respond(operations, request, body, response),
      () => response.destroy(), // The client disconnected.
    );
  });
}

function respond(
  operations: ReadonlyMap<string, Operation>,
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
): void {
  try {
    const name = String(request.headers['x-amz-target']).replace(/^AWSStepFunctions\./, '');
    const operation = operations.get(name);
    if (!operation) throw new StateMachineError('UnknownOperationException', `The operation ${name} is not supported`);
    reply(response, 200, operation(jsonOf(body)));
  } catch (error) {
    if (error instanceof StateMachineError) reply(response, 400, { __type: error.name, message: error.message });
    else {
      process.stderr.write(`Step Functions: ${error instanceof Error ? error.stack : String(error)}\n`);
      reply(response, 500, { __type: 'InternalFailure', message: 'Internal failure' });
    }
  }
}

function jsonOf(body: string): Json {
  try {
    return parseJson(body);
  } catch {
    throw new StateMachineError('SerializationException', 'The body is not valid JSON');
  }
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify(body));
}
