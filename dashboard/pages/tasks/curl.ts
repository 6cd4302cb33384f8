/** The curl commands that pages show. */
import { quoted } from '../../../shared/contracts/openapi/code-samples.ts';

interface Command {
  readonly path: string;
  readonly body: unknown;
  /** Default: the variable of the documentation's samples. */
  readonly token?: string;
}

export const curlOf = ({ path, body, token = '$API_TOKEN' }: Command): string =>
  [
    `curl -s ${quoted(location.origin + path)}`,
    `  -H "Authorization: Bearer ${token}"`,
    "  -H 'Content-Type: application/json'",
    `  -d ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n');
