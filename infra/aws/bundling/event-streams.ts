/** Removes event streams from clients without streaming commands, which only import them for the protocol. */
import type { Plugin } from 'esbuild';

const missing = `const missing=()=>{throw new Error('Event streams are not part of the bundle.')};
  export{missing as eventStreamSerdeProvider,missing as EventStreamSerde};`;

/** The protocol loads them at the first event. The clients of S3 and Bedrock, which import them directly, keep them. */
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
