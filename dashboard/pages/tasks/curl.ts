/** Builds the curl commands that pages show. */
import { quoted } from '../../../shared/contracts/openapi/code-samples.ts';

interface Command {
  /** The base URL of the API. */
  readonly baseUrl: string;
  readonly path: string;
  readonly body: unknown;
  /** The token; defaults to the shell variable that the documentation's samples use. */
  readonly token?: string;
}

export const curlOf = ({ baseUrl, path, body, token = '$API_TOKEN' }: Command): string =>
  [
    `curl -s ${quoted(baseUrl + path)}`,
    `  -H "Authorization: Bearer ${token}"`,
    "  -H 'Content-Type: application/json'",
    `  -d ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n');
