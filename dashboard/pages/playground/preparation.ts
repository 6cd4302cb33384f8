/** What is done once before the shown code can run: installing the client, and setting the token. */
import { documentRoutes } from '../../../shared/contracts/documents.ts';
import { tokenVariable } from '../../../shared/contracts/openapi/code-samples.ts';

const installed = {
  TypeScript: (packages: string) => `npm install ${packages}/typescript.tgz`,
  Python: (packages: string) =>
    `pip install "generation-service[webhooks] @ ${packages}/generation_service-1.0.0-py3-none-any.whl"`,
} as const;

const hasClient = (label: string): label is keyof typeof installed => Object.hasOwn(installed, label);

/** The shell commands, in which the user fills in the token. */
export const preparation = (label: string, apiUrl: string): string =>
  [
    ...(hasClient(label) ? [installed[label](apiUrl + documentRoutes.getClients.path)] : []),
    `export ${tokenVariable}=av_…`,
  ].join('\n');

const files: Readonly<Record<string, string>> = { TypeScript: 'node generate.mjs', Python: 'python3 generate.py' };

/** How the code is run once it is saved in a file; undefined for code that is pasted into a shell. */
export const runCommand = (label: string): string | undefined => files[label];
