/** Builds the curl commands that pages show, with the token in the variable that all samples use. */
import { quoted, tokenVariable } from '../../../shared/contracts/openapi/code-samples.ts';

interface Command {
  /** The base URL of the API. */
  readonly baseUrl: string;
  readonly path: string;
  readonly body: unknown;
}

export const curlOf = ({ baseUrl, path, body }: Command): string =>
  [
    `curl -s ${quoted(baseUrl + path)}`,
    `  -H "Authorization: Bearer $${tokenVariable}"`,
    "  -H 'Content-Type: application/json'",
    `  -d ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n');
