/** Sample requests in curl, Node and Python, generated from an operation's example. */
import type { OperationContract } from '../operation.ts';

/** The environment variable from which all samples read the token. */
export const tokenVariable = 'API_TOKEN';

const bearer = `"Authorization: Bearer $${tokenVariable}"`;

interface Sample {
  readonly contract: OperationContract;
  readonly url: string;
  readonly serverUrl: string;
  /** The idempotency key. */
  readonly key: string;
}

const filledPath = ({ path, example }: OperationContract): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => example.params?.[name] ?? '');

const isAuthenticated = ({ scopes }: OperationContract): boolean => scopes.length > 0;

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);
const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Quotes a text for the shell, which interprets nothing inside single quotes but the quote itself. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function curl({ contract, key, url }: Sample): string {
  const { example, idempotent, method } = contract;
  const headers = [
    ...(isAuthenticated(contract) ? [bearer] : []),
    ...(example.body ? ["'Content-Type: application/json'"] : []),
    ...(idempotent ? [`'Idempotency-Key: ${key}'`] : []),
  ];
  return [
    `curl ${method === 'GET' || example.body ? '' : `-X ${method} `}${quoted(url)}`,
    ...headers.map((header) => `  -H ${header}`),
    ...(example.body ? [`  -d ${quoted(json(example.body))}`] : []),
  ].join(' \\\n');
}

function node({ contract, key, serverUrl }: Sample): string {
  const { example, idempotent, operationId } = contract;
  const options = [
    `  baseUrl: '${serverUrl}',`,
    ...(isAuthenticated(contract) ? [`  token: process.env.${tokenVariable},`] : []),
  ];
  const request = [
    ...(example.params ? [`  params: ${indented(json(example.params), '  ')},`] : []),
    ...(example.body ? [`  body: ${indented(json(example.body), '  ')},`] : []),
    ...(idempotent ? [`  idempotencyKey: '${key}',`] : []),
  ];
  return [
    "import { client } from 'generation-service-client';",
    '',
    `const api = client({\n${options.join('\n')}\n});`,
    `const { data } = await api.${operationId}(${request.length > 0 ? `{\n${request.join('\n')}\n}` : ''});`,
    'console.log(data);',
  ].join('\n');
}

/** JSON strings and numbers are valid in Python; `true`, `false` and `null` are not. */
const python3 = (value: unknown): string =>
  json(value).replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (token) => {
    const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
    return words[token] ?? token;
  });

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function python({ contract, key, serverUrl }: Sample): string {
  const { example, idempotent, operationId } = contract;
  const request = [
    ...Object.values(example.params ?? {}).map((id) => `"${id}"`),
    ...(example.body ? [python3(example.body)] : []),
    ...(idempotent ? [`idempotency_key="${key}"`] : []),
  ];
  return [
    ...(isAuthenticated(contract) ? ['import os', ''] : []),
    'from generation_service import Client',
    '',
    `client = Client("${serverUrl}"${isAuthenticated(contract) ? `, os.environ["${tokenVariable}"]` : ''})`,
    `print(client.${snakeCase(operationId)}(${request.join(', ')}))`,
  ].join('\n');
}

export type CodeSample = Readonly<Record<'lang' | 'label' | 'source', string>>;

export function codeSamples(contract: OperationContract, serverUrl: string, key = 'order-4711'): readonly CodeSample[] {
  const sample = { contract, key, serverUrl, url: `${serverUrl}${filledPath(contract)}` };
  return [
    { lang: 'Shell', label: 'curl', source: curl(sample) },
    { lang: 'JavaScript', label: 'Node', source: node(sample) },
    { lang: 'Python', label: 'Python', source: python(sample) },
  ];
}
