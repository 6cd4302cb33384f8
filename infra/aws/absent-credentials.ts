/**
 * Stands in the bundles for the SDK's credentials from profiles, processes and identity files, and for its tokens.
 * Lambda's own come from the environment, the first place where the SDK looks; past these it goes on to the container's.
 */

const absent = () => async (): Promise<never> => {
  throw Object.assign(new Error('these credentials are not in the bundle'), { tryNextLink: true });
};

export {
  absent as fromEnvSigningName,
  absent as fromIni,
  absent as fromProcess,
  absent as fromSSO,
  absent as fromTokenFile,
  absent as nodeProvider,
};
