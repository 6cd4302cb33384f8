/** Removes event streams from clients that have no streaming commands and import them only through the protocol. */
import type { Plugin } from 'esbuild';

const missing = `const missing=()=>{throw new Error('Event streams are not part of the bundle.')};
  export{missing as eventStreamSerdeProvider,missing as EventStreamSerde};`;

/**
 * Replaces the event streams that the protocol would load on first use. Clients that import them directly, such as
 * those of S3 and Bedrock, keep them.
 */
export const eventStreams: Plugin = {
  name: 'event-streams',
  setup(bundling) {
    const namespace = 'event-streams';
    bundling.onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ path, importer }) =>
      importer.endsWith('HttpProtocol.js') ? { path, namespace } : undefined,
    );
    bundling.onLoad({ filter: /.*/, namespace }, () => ({ contents: missing }));
  },
};
