/** The names of the keys that sign results, by their labels in `contentCredentials.keys` of a stage. */

/** The label of the key if a stage has set no labels. */
const first = 'first';

/** The suffix that distinguishes the resources of a key from those of the first key, which has no label. */
const suffixOf = (label: string, separator: string): string => (label === first ? '' : `${separator}${label}`);

export const contentKeyId = (label: string): string => `Key${suffixOf(label, '-')}`;

/** The alias of a key in KMS, without its prefix `alias/`. */
export const contentKeyAlias = (stage: string, label: string): string =>
  `generation-service/${stage}/content${suffixOf(label, '-')}`;

/** The name of the secret with a key's certificates. */
export const contentSecretName = (secretName: string, label: string): string => `${secretName}${suffixOf(label, '/')}`;
