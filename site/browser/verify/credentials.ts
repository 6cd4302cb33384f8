/** Reads the Content Credentials in a file, without sending it anywhere. */
import type { WasmReader as Reader } from '@contentauth/c2pa-wasm';

/** How something was made: by a model from text alone, by a model from other media, or in another way. */
export type Making = 'model' | 'model from media' | 'other';

/** A file that another one was made from. */
export interface Source {
  readonly isParent: boolean;
  readonly type: string | undefined;
  readonly hasCredentials: boolean;
}

/** What valid credentials say, or what they said before the file was changed. */
export interface Credentials {
  readonly state: 'unchanged' | 'changed' | 'broken';
  readonly signedBy: string | undefined;
  readonly generator: string | undefined;
  readonly making: Making;
  readonly tool: string | undefined;
  readonly when: string | undefined;
  readonly sources: readonly Source[];
}

interface Action {
  readonly action: string;
  readonly digitalSourceType?: string;
  readonly softwareAgent?: string | { readonly name?: string };
  readonly when?: string;
}

interface Manifest {
  readonly assertions?: readonly { readonly label: string; readonly data?: { readonly actions?: readonly Action[] } }[];
  readonly claim_generator_info?: readonly { readonly name?: string }[];
  readonly ingredients?: readonly {
    readonly relationship?: string;
    readonly format?: string;
    readonly active_manifest?: string;
  }[];
  readonly signature_info?: { readonly common_name?: string; readonly issuer?: string };
}

interface Store {
  readonly active_manifest?: string;
  readonly manifests?: Readonly<Record<string, Manifest>>;
  readonly validation_state?: string;
  readonly validation_status?: readonly { readonly code: string }[];
}

/** The library must not fetch anything while it reads a file. */
const settings = JSON.stringify({ verify: { remote_manifest_fetch: false, ocsp_fetch: false } });

/** The types of files that the page accepts, by how they begin: the bytes from a position on, as Latin-1. */
const signatures: readonly (readonly [type: string, at: number, text: RegExp])[] = [
  ['image/png', 0, /^\x89PNG/],
  ['image/jpeg', 0, /^\xff\xd8\xff/],
  ['image/webp', 8, /^WEBP/],
  ['audio/wav', 8, /^WAVE/],
  ['video/mp4', 4, /^ftyp/],
  ['audio/mpeg', 0, /^(ID3|\xff[\xe0-\xff])/],
];

function typeOf(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  return signatures.find(([, at, text]) => text.test(head.slice(at)))?.[0];
}

/** The library is large, so it is loaded with the first file. */
async function load(): Promise<typeof Reader> {
  const [{ default: init, WasmReader }, packed] = await Promise.all([
    import('@contentauth/c2pa-wasm'),
    fetch(new URL('c2pa.wasm.gz', import.meta.url)),
  ]);
  if (!packed.ok || !packed.body) throw new Error('the library cannot be loaded');
  const unpacked = packed.body.pipeThrough(new DecompressionStream('gzip'));
  await init({ module_or_path: await new Response(unpacked).arrayBuffer() });
  return WasmReader;
}

let loading: Promise<typeof Reader> | undefined;

function reader(): Promise<typeof Reader> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

function stateOf({ validation_state: state, validation_status: status = [] }: Store): Credentials['state'] {
  if (state === 'Valid' || state === 'Trusted') return 'unchanged';
  return status.some(({ code }) => /[hH]ash\.mismatch$/.test(code)) ? 'changed' : 'broken';
}

const makings: Readonly<Record<string, Making>> = {
  trainedAlgorithmicMedia: 'model',
  compositeWithTrainedAlgorithmicMedia: 'model from media',
};

const nameOf = (agent: Action['softwareAgent']): string | undefined =>
  typeof agent === 'string' ? agent : agent?.name;

function credentialsIn(store: Store): Credentials {
  const manifest = store.manifests?.[store.active_manifest ?? ''] ?? {};
  const actions = (manifest.assertions ?? [])
    .filter(({ label }) => label.startsWith('c2pa.actions'))
    .flatMap(({ data }) => data?.actions ?? []);
  const made = actions.find(({ digitalSourceType }) => digitalSourceType);
  return {
    state: stateOf(store),
    signedBy: manifest.signature_info?.common_name ?? manifest.signature_info?.issuer,
    generator: manifest.claim_generator_info?.[0]?.name,
    making: makings[made?.digitalSourceType?.split('/').at(-1) ?? ''] ?? 'other',
    tool: nameOf(made?.softwareAgent),
    when: made?.when,
    sources: (manifest.ingredients ?? []).map(({ relationship, format, active_manifest: own }) => ({
      isParent: relationship === 'parentOf',
      type: format,
      hasCredentials: own !== undefined,
    })),
  };
}

/** The credentials in a file, `none`, or `unreadable` if it is no file of a known type. @throws {Error} */
export async function readCredentials(bytes: Uint8Array): Promise<Credentials | 'none' | 'unreadable'> {
  const type = typeOf(bytes);
  if (type === undefined) return 'unreadable';
  const Library = await reader();
  try {
    const read = await Library.fromBytes(type, bytes, settings);
    const store = JSON.parse(read.json()) as Store;
    read.free();
    return credentialsIn(store);
  } catch (error) {
    return String(error).includes('JumbfNotFound') ? 'none' : 'unreadable';
  }
}
