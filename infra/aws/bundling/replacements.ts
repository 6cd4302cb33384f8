/** The parts of packages that bundles omit: code that is never used but would be compiled at every start. */
import type { Replacement } from './replaced-modules.ts';

/** Keeps the exports of a module, but calling one throws an error that says why it was omitted. */
function hollow(text: string): string {
  const declared = [...text.matchAll(/^export (?:async )?(?:function\*?|const|class|let) (\w+)/gm)].map(
    ([, name]) => name,
  );
  const listed = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').map((name) =>
      name
        .trim()
        .split(/\s+as\s+/)
        .at(-1),
    ),
  );
  const names = [...new Set([...declared, ...listed])].filter(Boolean);
  if (names.length === 0) throw new Error('The module exports nothing.');
  const missing = "const missing=()=>{throw new Error('This code is not part of the bundle.')};";
  return `${missing}export{${names.map((name) => `missing as ${name}`).join(',')}};`;
}

/** Bedrock's client looks for a bearer token before it signs requests; there never is one. */
const withoutTokens = `
  const absent = () => async () => {
    throw Object.assign(new Error('Tokens are not part of the bundle.'), { tryNextLink: true });
  };
  export { absent as fromEnvSigningName, absent as nodeProvider };`;

/** Lambda provides credentials in the environment; the rest of the credential chain is for developers' machines. */
const credentialsFromEnvironment = `
  import { fromEnv } from '@aws-sdk/credential-provider-env';
  export const defaultProvider = (init) => fromEnv(init);
  export const credentialsWillNeedRefresh = (credentials) => credentials?.expiration !== undefined;
  export const credentialsTreatedAsExpired = () => false;`;

/**
 * Lambda configures clients through the environment only; looking for config files costs two errors per setting and
 * client.
 */
const settingsFromEnvironment = `
  import { memoize } from '../property-provider/memoize';
  export const loadConfig = ({ environmentVariableSelector, default: byDefault }, { signingName } = {}) =>
    memoize(async () => {
      const value = environmentVariableSelector(process.env, { signingName });
      if (value !== undefined) return value;
      return typeof byDefault === 'function' ? byDefault() : byDefault;
    });`;

const smithy = '@smithy/core/dist-es/submodules';

export const replacements: readonly Replacement[] = [
  {
    module: 'zod/v4/core/json-schema-processors.js',
    sha256: 'b6d2aee72212c076b9cde38da6333591c76a24eb049a4ee4e7bd2b7825d8b817',
    replace: hollow,
  },
  {
    module: 'zod/v4/core/to-json-schema.js',
    sha256: '85b883eb8f05e9f060c71a39fce7df9345b566af29d5bc9c8fa477fe616a051d',
    replace: hollow,
  },
  {
    module: '@aws-sdk/credential-provider-node/dist-es/defaultProvider.js',
    sha256: 'f459d07b8f2c2e3173b3e0e65c9d50f094969ca2a81ee8fc31ef23512b41b37f',
    replace: () => credentialsFromEnvironment,
  },
  {
    module: `${smithy}/config/node-config-provider/configLoader.js`,
    sha256: '52d078dae8acaf82da89c16c94bb6b0a7f6e60ddac4662289e9154fe581a03fa',
    replace: () => settingsFromEnvironment,
  },
  {
    module: '@aws-sdk/token-providers/dist-es/index.js',
    sha256: '322cdcfc79e280b7ada8c8bfdb092cf1cffc33ea5687a016009ca293aaf242b7',
    replace: () => withoutTokens,
  },
  {
    module: `${smithy}/config/config-resolver/regionConfig/getInstanceMetadataRegion.js`,
    sha256: 'da6d439b0eb4d93a17f5919d6e9d349b3931b2ac9e913b13b7abe3e4f61ee9fa',
    replace: () => 'export const getInstanceMetadataRegion = async () => undefined;',
  },
  {
    // Clients create this cache when they start, although only commands of other services use it.
    module: '@aws-sdk/endpoint-cache/dist-es/EndpointCache.js',
    sha256: '725c1b5ac2d5d83dbfe93629f865d157e047dc0e6b5bc4673109a59568185860',
    replace: () => 'export class EndpointCache {}',
  },
  {
    module: '@aws-sdk/middleware-endpoint-discovery/dist-es/getEndpointDiscoveryPlugin.js',
    sha256: '02a8793c644d79295accaa97a6869c84aa33bf484ac4b8ceff3322fa53e77d4e',
    replace: hollow,
  },
  {
    // Used only if AWS_RETRY_MODE asks for it, which no function's environment does.
    module: `${smithy}/retry/util-retry/AdaptiveRetryStrategy.js`,
    sha256: '826965148cb6b0f7aae779bcc88909a275b3551f139da9d848b8558cd4463c8e',
    replace: hollow,
  },
  // Fallbacks for a built-in of Node that always exists.
  {
    module: `${smithy}/checksum/sha256/Sha256Js.js`,
    sha256: '54d26649ccb5c6f5d34f89bf22167db9f91eeab6c05af115f7b0dbf041081ec4',
    replace: hollow,
  },
  {
    module: `${smithy}/checksum/crc32/Crc32Js.js`,
    sha256: '3edb3089f1774cafe7ceda7ce598ee0ea07b92f41f395c511963460cdfd46e36',
    replace: hollow,
  },
];
