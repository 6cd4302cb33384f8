/** Runs the sandbox of social networks of an emulated stage, in its own process. */
import { socialEventsPath } from '../../shared/contracts/inbound.ts';
import { acceptsKey, startInBackground } from './background-process.ts';
import type { EmulatedStage } from './emulated-stage.ts';
import { localSecret } from './local-secrets.ts';

export const socialVariables = { appSecret: 'META_APP_SECRET', eventsUrl: 'META_EVENTS_URL' } as const;

/** The stage's secrets that authenticate the sandbox and the service to each other. */
export const socialSecretNames = ({ meta }: EmulatedStage): readonly string[] =>
  meta ? [...new Set([meta.instagram, meta.facebook].flatMap((app) => app?.secretName ?? []))] : [];

/** Does nothing if the stage has no sandbox. @throws {Error} if the process does not start */
export async function startSocialSandboxProcess({ meta }: EmulatedStage, apiUrl: string): Promise<void> {
  if (!meta?.sandboxUrl || !meta.instagram) return;
  const { sandboxUrl } = meta;
  const key = await localSecret(meta.instagram.secretName);
  await startInBackground({
    name: 'social-sandbox',
    program: new URL('social/main.ts', import.meta.url),
    environment: { [socialVariables.appSecret]: key, [socialVariables.eventsUrl]: apiUrl + socialEventsPath },
    isReady: () => acceptsKey({ url: `${sandboxUrl}/sandbox/pages`, key }),
  });
}
