/** Entries of the permission table for the operations that create tasks. */
import type { GenerationId } from '../../shared/contracts/generate-batch.ts';
import type { FunctionGrants } from './function-grants.ts';

/** Updating the token row authenticates and counts a request, so every function with token authentication needs it. */
const generation = {
  table: {
    get: ['account', 'idempotency', 'spending'],
    query: ['catalog', 'circuit'],
    put: ['task', 'ledger', 'idempotency'],
    update: ['token', 'account', 'spending', 'circuit'],
  },
  starts: ['generate'],
  knows: ['engines', 'urlPolicy'],
} as const satisfies FunctionGrants;

/** A generation that uses the likeness of a person: it must know whether the stage requires a declaration of consent. */
const withLikeness = <const Grants extends FunctionGrants>(grants: Grants) => ({
  ...grants,
  knows: [...(grants.knows ?? []), 'likenessConsent' as const],
});

/** Opens the files that URLs lead to, including the account's own uploads and kept files. */
export const opensInputs = {
  table: { getMany: ['file'] },
  inputs: ['readUploads'],
  results: ['readKept'],
  knows: ['apiUrl', 'urlPolicy'],
} as const satisfies FunctionGrants;

/** A generation whose request refers to files. */
const generationFromFiles = {
  ...generation,
  ...opensInputs,
  table: { ...generation.table, ...opensInputs.table },
  knows: ['apiUrl', 'engines', 'urlPolicy'],
} as const satisfies FunctionGrants;

const singleGrants: Readonly<Record<GenerationId, FunctionGrants>> = {
  generateImage: generation,
  editImage: generationFromFiles,
  replaceCharacter: withLikeness(generationFromFiles),
  removeBackground: generationFromFiles,
  upscaleImage: generationFromFiles,
  generateInfluencer: generationFromFiles,
  enhanceSkin: generationFromFiles,
  generateVoice: generation,
  generateCreativeVideo: generationFromFiles,
  generateUgcVideo: withLikeness(generationFromFiles),
  imitateVideo: withLikeness(generationFromFiles),
  generateStudioVideo: {
    ...generation,
    table: { ...generation.table, get: ['account', 'idempotency', 'product', 'avatar', 'spending'] },
    knows: ['engines', 'likenessConsent', 'resultsUrl', 'urlPolicy'],
  },
  generateCortes: {
    ...generationFromFiles,
    table: {
      ...generationFromFiles.table,
      get: [...generation.table.get, 'linkedVideo'],
      put: [...generation.table.put, 'linkedVideo'],
      update: [...generation.table.update, 'dayCounts'],
    },
    secrets: ['youtube'],
  },
  changeVoice: withLikeness(generationFromFiles),
};

type Grant = readonly string[] | { readonly [part: string]: Grant };

/** Everything that any of the grants allows. */
function unionOf(grants: readonly { readonly [part: string]: Grant }[]): Record<string, Grant> {
  const parts = Map.groupBy(grants.flatMap(Object.entries<Grant>), ([part]) => part);
  return Object.fromEntries([...parts].map(([part, entries]) => [part, merged(entries.map(([, grant]) => grant))]));
}

function merged(grants: readonly Grant[]): Grant {
  const lists = grants.filter((grant) => Array.isArray(grant));
  if (lists.length > 0) return [...new Set(lists.flat())];
  return unionOf(grants as readonly { readonly [part: string]: Grant }[]);
}

export const generationGrants = {
  ...singleGrants,
  // A batch does what the operations in it do. Unlike the others, it cannot be sent by the dashboard.
  generateBatch: unionOf([
    ...Object.values(singleGrants),
    { table: { update: ['session'] } },
  ] as never) as FunctionGrants,
};
