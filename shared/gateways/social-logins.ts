/** Creates the log-in by which owners connect their pages, with a stage's apps. */
import type { PortSource } from '../platform/port-source.ts';
import { secretsManager } from '../platform/secrets.ts';
import { secretsIn } from './meta/app-secrets.ts';
import { metaLogin } from './meta/meta-login.ts';
import { metaAppOf } from './network-of.ts';
import type { SocialLogin } from './social-login.ts';

export function socialLogin(source: PortSource): SocialLogin {
  const { settings, clock } = source;
  const secrets = secretsManager(source);
  return metaLogin({
    sandboxUrl: () => settings.metaSandboxUrl,
    version: () => settings.metaVersion,
    appId: (channel) => metaAppOf(channel, settings),
    async appSecret(channel) {
      const list = settings[channel === 'instagram' ? 'metaInstagramSecrets' : 'metaFacebookSecrets'];
      const [secret] = secretsIn(await secrets.read(list));
      if (secret === undefined) throw new Error(`the app for ${channel} has no secret`);
      return secret;
    },
    clock,
  });
}
