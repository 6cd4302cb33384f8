/** One Lambda execution environment: reads an invocation per line, calls the handler and writes its result per line. */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [responses, endOfLog] = [Number(process.argv[2]), process.argv[3]];
const { LAMBDA_TASK_ROOT = '.', _HANDLER = '', AWS_LAMBDA_FUNCTION_TIMEOUT, ...environment } = process.env;
// Ends each invocation's log with a mark, because the log is a separate pipe and its lines may arrive late.
const respond = (line) => {
  process.stdout.write(`${endOfLog}\n`, () => writeSync(responses, `${JSON.stringify(line)}\n`));
};

const [file, name] = _HANDLER.split('.');
const { [name]: handler } = await import(pathToFileURL(join(LAMBDA_TASK_ROOT, `${file}.mjs`)).href);
respond({ ready: true });

const contextOf = (invocation) => {
  const deadline = Date.now() + Number(AWS_LAMBDA_FUNCTION_TIMEOUT) * 1000;
  return {
    awsRequestId: invocation['invoke-id'],
    invokedFunctionArn: invocation['invoked-function-arn'],
    functionName: environment.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: environment.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: environment.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: environment.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: environment.AWS_LAMBDA_LOG_STREAM_NAME,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
};

for await (const line of createInterface({ input: process.stdin })) {
  const invocation = JSON.parse(line);
  try {
    const payload = await handler(JSON.parse(invocation.payload), contextOf(invocation));
    respond({ isError: false, payload: payload ?? null });
  } catch (error) {
    respond({ isError: true, payload: { errorType: error.name, errorMessage: error.message, trace: [error.stack] } });
  }
}
