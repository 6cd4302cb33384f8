/** The dashboard's host and its identity provider as a separate process for an emulated stage. */
import { startIdentityProvider } from '../../local/identity/identity-provider.ts';
import { dashboardVariables } from '../dashboard-process.ts';
import { emulatedStage } from '../emulated-stage.ts';
import { startSiteFront } from './site-front.ts';

const given = (name: keyof typeof dashboardVariables): string => process.env[dashboardVariables[name]] ?? '';
const portOf = (url: string): number => Number(new URL(url).port);

const { dashboard, emulatorUrl } = emulatedStage();
if (!dashboard?.emulated) throw new Error('the stage has no dashboard on this machine');
const { identityUrl, siteUrl } = dashboard.emulated;
const identity = await startIdentityProvider({
  port: portOf(identityUrl),
  siteUrl,
  secrets: {
    pages: given('pagesSecret'),
    passwords: given('passwordsSecret'),
    operators: given('operatorsSecret'),
  },
  now: Date.now,
});
const front = await startSiteFront({
  port: portOf(siteUrl),
  apiUrl: given('apiUrl'),
  emulatorUrl,
  distribution: given('distribution'),
});
process.on('SIGTERM', () => {
  front.close();
  identity.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
