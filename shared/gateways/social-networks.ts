/** Creates the social network whose pages accounts connect, with a stage's apps. */
import type { PortSource } from '../platform/port-source.ts';
import { secretsManager } from '../platform/secrets.ts';
import { secretsIn } from './meta/app-secrets.ts';
import { hostsOf } from './meta/meta-hosts.ts';
import { metaNetwork } from './meta/meta-network.ts';
import type { SocialNetwork } from './social-network.ts';

export function socialNetwork(source: PortSource): SocialNetwork {
  const { settings, clock } = source;
  const secrets = secretsManager(source);
  return metaNetwork({
    url: (page) => hostsOf(page, settings.metaSandboxUrl).graph,
    version: () => settings.metaVersion,
    async appSecrets() {
      const { metaInstagramSecrets, metaFacebookSecrets } = settings;
      const lists = await Promise.all([metaInstagramSecrets, metaFacebookSecrets].map((one) => secrets.read(one)));
      return lists.flatMap(secretsIn);
    },
    async facebookApp() {
      const [secret] = secretsIn(await secrets.read(settings.metaFacebookSecrets));
      const id = settings.metaFacebookApp;
      return secret === undefined || id === 'none' ? undefined : { id, secret };
    },
    clock,
  });
}
