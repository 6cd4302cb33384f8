/** The commands for the key that signs the Content Credentials of results. */
import { createPublicKey } from 'node:crypto';
import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { acts } from '../../shared/domain/operators/acts.ts';
import { certificateRequest, certifyContentKey } from '../content-authority.ts';
import { contentKeyAlias } from '../content-key-names.ts';
import { actCommand } from './act-command.ts';
import { type Command, command, flag, optional } from './command.ts';
import { type JudgedCertificates, judgeCertificates, noticeDays } from './content-certificates.ts';
import { commandFailed } from './exit-error.ts';
import { requireDeployment } from './service.ts';
import { isSecretStored, readSecret, storeSecret } from './store-secret.ts';
import { textOf } from './value-kinds.ts';

/** How long a certificate is valid that this command issues with an authority of its own. */
const years = 5;

/**
 * Finds the key with a label, by default the one that signs, and the secret with its certificates.
 * @throws {ExitError}
 */
function keyOf(service: Parameters<typeof requireDeployment>[0], label: string | undefined) {
  const { stage, outputs } = requireDeployment(service);
  const { ContentSigningKey: key = '', ContentCertificatesSecret: secret = '' } = outputs;
  if (label === undefined) return { key, secret };
  const [labels = [], secrets = []] = [outputs.ContentKeyLabels, outputs.ContentCertificatesSecrets].map((list = '') =>
    list.split(','),
  );
  const at = labels.indexOf(label);
  if (at < 0)
    throw commandFailed(`The stage has no key "${label}": add it to contentCredentials.keys in cdk.json, and deploy.`);
  return { key: at === 0 ? key : `alias/${contentKeyAlias(stage, label)}`, secret: secrets[at] ?? '' };
}

async function publicKeyOf(KeyId: string) {
  const client = new KMSClient();
  const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId })).finally(() => client.destroy());
  if (!PublicKey) throw commandFailed('KMS responded without the public key.');
  return createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' });
}

/** Signs with the key in KMS; the signature is in DER. */
const signedByKms = (KeyId: string) => async (content: Uint8Array) => {
  const client = new KMSClient();
  const { Signature } = await client
    .send(new SignCommand({ KeyId, SigningAlgorithm: 'ECDSA_SHA_256', MessageType: 'RAW', Message: content }))
    .finally(() => client.destroy());
  if (!Signature) throw commandFailed('KMS responded without a signature.');
  return Signature;
};

/** @throws {ExitError} if certificates are already stored and must not be replaced */
async function requireReplaceable(secret: string, replace: boolean): Promise<void> {
  if (replace || !(await isSecretStored(secret))) return;
  throw commandFailed(`The secret ${secret} already contains certificates. To replace them, add --replace.`);
}

const defaultName = 'Generation Service';
const signerName = optional(
  textOf('NAME', 1, 64),
  `The name that readers show as the signer; "${defaultName}" by default.`,
);

const keyLabel = optional(
  textOf('LABEL', 1, 40),
  'The label of a key that is made ready; by default, the key that signs.',
);

const certify = actCommand(acts.certifyContentKey, {
  name: 'certify',
  summary: `Certify the key that signs results, for ${years} years, by an authority that is made for it and signs nothing else.`,
  options: {
    key: keyLabel,
    name: signerName,
    replace: flag('Replaces the certificates that are stored.'),
  },
  async run({ key: label, name = defaultName, replace = false }, { connect, perform }) {
    const service = await connect();
    const { key, secret } = keyOf(service, label);
    await requireReplaceable(secret, replace);
    const from = new Date(service.clock.now());
    const until = new Date(from);
    until.setUTCFullYear(until.getUTCFullYear() + years);
    const work = async () => {
      const { certificate, authority } = certifyContentKey(await publicKeyOf(key), name, { from, until });
      await storeSecret(secret, certificate);
      return { validUntil: until.toISOString(), authority };
    };
    return { secret, signer: name, ...(await perform(service, { ...service, work }, { name })) };
  },
  print: ({ secret, signer, validUntil, authority }) =>
    [
      `The certificate of ${signer}, valid until ${validUntil}, was stored in the secret ${secret}.`,
      'Readers that trust this authority trust the marks of results:',
      authority,
    ].join('\n'),
});

const request = command({
  name: 'request',
  summary: 'Print a request (PKCS #10) to certify the key that signs results, for an authority that readers trust.',
  options: { key: keyLabel, name: signerName },
  async run({ key: label, name = defaultName }, service) {
    const { key } = keyOf(service, label);
    return { request: await certificateRequest(await publicKeyOf(key), name, signedByKms(key)) };
  },
  print: ({ request }) => request,
});

/**
 * @throws {ExitError} if the text contains no certificates, or the credentials of results would be invalid with them
 */
function usable(judged: JudgedCertificates | undefined): JudgedCertificates {
  if (!judged) throw commandFailed('Standard input must be certificates in PEM, that of the key first.');
  if (judged.problems.length > 0) throw commandFailed(judged.problems.join(' '));
  return judged;
}

const install = actCommand(acts.installContentCertificates, {
  name: 'install',
  summary: 'Store the certificates of the key that signs results, read in PEM from standard input, its own first.',
  options: { key: keyLabel, replace: flag('Replaces the certificates that are stored; what they signed keeps them.') },
  async run({ key: label, replace = false }, { connect, perform, target }) {
    const service = await connect();
    const { key, secret } = keyOf(service, label);
    const text = await target.input();
    const judged = usable(judgeCertificates(text, await publicKeyOf(key), service.clock.now()));
    await requireReplaceable(secret, replace);
    const { signer, validUntil } = judged;
    const work = async () => {
      await storeSecret(secret, text);
      return { signer, validUntil };
    };
    return { secret, ...(await perform(service, { ...service, work }, { signer })) };
  },
  print: ({ secret, signer, validUntil }) =>
    `The certificates of ${signer}, valid until ${validUntil}, were stored in the secret ${secret}; functions use them within five minutes.`,
});

const notStored: JudgedCertificates = {
  signer: '',
  validUntil: '',
  daysLeft: 0,
  problems: ['No certificates are stored: results are unmarked.'],
};

const check = command({
  name: 'check',
  summary: `Show who signs results and until when; fails if their marks would not be valid, or not for another ${noticeDays} days.`,
  options: { key: keyLabel },
  async run({ key: label }, service) {
    const { key, secret } = keyOf(service, label);
    const text = (await isSecretStored(secret)) ? await readSecret(secret) : '';
    return { secret, ...(judgeCertificates(text, await publicKeyOf(key), service.clock.now()) ?? notStored) };
  },
  isSuccess: ({ problems, daysLeft }) => problems.length === 0 && daysLeft > noticeDays,
  print: ({ signer, validUntil, daysLeft, problems }) =>
    problems.length > 0
      ? problems.join('\n')
      : `Results are signed by ${signer}, for another ${daysLeft} days, until ${validUntil}.`,
});

export const contentCommands: readonly Command[] = [certify, request, install, check];
