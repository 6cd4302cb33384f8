/** Leaves event streams out where no command can stream: the protocol alone would bring them along. */
import type { Plugin } from 'esbuild';

const missing = `const missing=()=>{throw new Error('Event streams are not part of the bundle.')};
  export{missing as eventStreamSerdeProvider,missing as EventStreamSerde};`;

/** The protocol asks for them at the first event. Clients that ask by themselves, of S3 and of Bedrock, get the real ones. */
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
