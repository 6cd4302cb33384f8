/** The commands for the key that signs the Content Credentials of results. */
import { createPublicKey } from 'node:crypto';
import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { certifyContentKey } from '../content-authority.ts';
import { type Command, command, flag, optional } from './command.ts';
import { commandFailed } from './exit-error.ts';
import { requireDeployment } from './service.ts';
import { isSecretStored, storeSecret } from './store-secret.ts';
import { textOf } from './value-kinds.ts';

/** How long a certificate of an own authority is valid. */
const years = 5;

async function publicKeyOf(KeyId: string) {
  const client = new KMSClient();
  const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId })).finally(() => client.destroy());
  if (!PublicKey) throw commandFailed('KMS responded without the public key.');
  return createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' });
}

const certify = command({
  name: 'certify',
  summary: `Certify the key that signs results, for ${years} years, by an authority that is made for it and signs nothing else.`,
  options: {
    name: optional(textOf('NAME', 1, 64), 'The name that readers show as the signer; "Generation Service" by default.'),
    replace: flag('Replaces the certificates that are stored.'),
  },
  async run({ name = 'Generation Service', replace = false }, service) {
    const { ContentSigningKey: key = '', ContentCertificatesSecret: secret = '' } = requireDeployment(service).outputs;
    if (!replace && (await isSecretStored(secret))) {
      throw commandFailed(`The secret ${secret} already contains certificates. To replace them, add --replace.`);
    }
    const from = new Date(service.clock.now());
    const until = new Date(from);
    until.setUTCFullYear(until.getUTCFullYear() + years);
    const { certificate, authority } = certifyContentKey(await publicKeyOf(key), name, { from, until });
    await storeSecret(secret, certificate);
    return { secret, signer: name, validUntil: until.toISOString(), authority };
  },
  print: ({ secret, signer, validUntil, authority }) =>
    [
      `The certificate of ${signer}, valid until ${validUntil}, was stored in the secret ${secret}.`,
      'Readers that trust this authority trust the marks of results:',
      authority,
    ].join('\n'),
});

export const contentCommands: readonly Command[] = [certify];
