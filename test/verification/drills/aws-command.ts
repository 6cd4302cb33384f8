/**
 * Runs a command of the AWS CLI, which this machine need not have, by the same request: names and values are translated
 * as the CLI does it for services with a JSON protocol.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { type EmulatedStage, emulatorEnvironment } from '../../../infra/emulator/emulated-stage.ts';

/** The prefix of the protocol's target, and its version. */
const protocols: Readonly<Record<string, readonly [target: string, version: string]>> = {
  dynamodb: ['DynamoDB_20120810', '1.0'],
  sqs: ['AmazonSQS', '1.0'],
};

const pascal = (words: string): string =>
  words
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const plain = (value: string): unknown => (/^(true|false|\d+)$/.test(value) ? JSON.parse(value) : value);

/** Options whose values are texts, whatever they look like. */
const texts = new Set(['MessageBody', 'ReceiptHandle']);

/** JSON, the CLI's shorthand `Name=value,Name=value`, or a plain value. */
function parsed(text: string): unknown {
  if (/^[[{]/.test(text)) return JSON.parse(text);
  if (/^\d+$/.test(text)) return Number(text);
  if (!/^\w+=[^ ]/.test(text)) return text;
  return Object.fromEntries(
    text.split(',').map((pair) => [pair.slice(0, pair.indexOf('=')), plain(pair.slice(pair.indexOf('=') + 1))]),
  );
}

function inputOf(words: readonly string[]): Readonly<Record<string, unknown>> {
  const input: Record<string, unknown> = {};
  for (const [index, word] of words.entries()) {
    if (!word.startsWith('--')) continue;
    const [, no, name = ''] = /^--(no-)?(.+)/.exec(word) ?? [];
    const next = words[index + 1];
    const member = pascal(name);
    if (next === undefined || next.startsWith('--')) input[member] = no === undefined;
    else input[member] = texts.has(member) ? next : parsed(next);
  }
  return input;
}

async function send(stage: EmulatedStage, service: string, operation: string, input: object): Promise<unknown> {
  const [target, version] = protocols[service] ?? [];
  if (target === undefined) throw new Error(`Drills run no commands of "aws ${service}".`);
  const environment = emulatorEnvironment(stage);
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '', AWS_REGION } = environment;
  const client = new AwsClient({ accessKeyId, secretAccessKey, service, region: AWS_REGION ?? '', retries: 0 });
  const response = await client.fetch(`${stage.emulatorUrl}/`, {
    method: 'POST',
    headers: { 'content-type': `application/x-amz-json-${version}`, 'x-amz-target': `${target}.${operation}` },
    body: JSON.stringify(input),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`"aws ${service}" responded with ${response.status}: ${text}`);
  return text === '' ? {} : JSON.parse(text);
}

const patienceMs = 60_000;

async function untilTableExists(stage: EmulatedStage, input: object): Promise<unknown> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const { Table: table } = (await send(stage, 'dynamodb', 'DescribeTable', input)) as {
      Table: { TableStatus: string };
    };
    if (table.TableStatus === 'ACTIVE') return {};
    if (performance.now() > end) throw new Error('The table is not active after a minute.');
    await sleep(200);
  }
}

/** @throws {Error} with the response, if it is an error */
export function awsCommand(stage: EmulatedStage, words: readonly string[]): Promise<unknown> {
  const [, service = '', operation = '', ...options] = words;
  if (operation === 'wait') return untilTableExists(stage, inputOf(options.slice(1)));
  return send(stage, service, pascal(operation), inputOf(options));
}
