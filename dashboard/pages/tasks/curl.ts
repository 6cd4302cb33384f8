/** The curl commands that pages show. */
import { quoted } from '../../../shared/contracts/openapi/code-samples.ts';

interface Command {
  readonly path: string;
  readonly body: unknown;
}

export const curlOf = ({ path, body }: Command): string =>
  [
    `curl -s ${quoted(location.origin + path)}`,
    `  -H "Authorization: Bearer $API_TOKEN"`,
    "  -H 'Content-Type: application/json'",
    `  -d ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n');
