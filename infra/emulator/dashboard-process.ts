/** Runs the dashboard's host and identity provider of an emulated stage, in one process. */
import { identitySecretName, localClients } from '../aws/dashboard/emulated-identity.ts';
import { startInBackground } from './background-process.ts';
import type { EmulatedStage } from './emulated-stage.ts';
import { localSecret } from './local-secrets.ts';

export const dashboardVariables = {
  pagesSecret: 'PAGES_SECRET',
  passwordsSecret: 'PASSWORDS_SECRET',
  operatorsSecret: 'OPERATORS_SECRET',
  apiUrl: 'API_URL',
  distribution: 'DISTRIBUTION',
} as const;

/** The stage's secrets that authenticate the service at its identity provider. */
export const dashboardSecretNames = ({ dashboard, name }: EmulatedStage): readonly string[] =>
  dashboard ? localClients.map((client) => identitySecretName(name, client)) : [];

async function isServed(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** Does nothing if the stage has no dashboard. @throws {Error} if the process does not start */
export async function startDashboardProcess(
  { dashboard, name }: EmulatedStage,
  where: { readonly apiUrl: string; readonly distribution: string },
): Promise<void> {
  if (!dashboard?.emulated) return;
  const { identityUrl, siteUrl } = dashboard.emulated;
  await startInBackground({
    name: 'dashboard',
    program: new URL('dashboard/main.ts', import.meta.url),
    environment: {
      [dashboardVariables.pagesSecret]: await localSecret(identitySecretName(name, 'pages')),
      [dashboardVariables.passwordsSecret]: await localSecret(identitySecretName(name, 'passwords')),
      [dashboardVariables.operatorsSecret]: await localSecret(identitySecretName(name, 'operators')),
      [dashboardVariables.apiUrl]: where.apiUrl,
      [dashboardVariables.distribution]: where.distribution,
    },
    // Requests a page, which the process of an earlier deployment would not find.
    isReady: async () =>
      (await isServed(`${identityUrl}/.well-known/jwks.json`)) && (await isServed(`${siteUrl}/account/`)),
  });
}
