/** Reads Content Credentials with c2pa-python: a different program than the one that marks the files. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { inTemporaryFolder } from '../../fakes/temporary-folder.ts';
import { pythonEnvironment } from '../../infra/toolchain/python-environment.ts';

interface Ingredient {
  readonly relationship: string;
  readonly format?: string;
  readonly active_manifest?: string;
}

interface Action {
  readonly action: string;
  readonly digitalSourceType?: string;
  readonly softwareAgent?: { readonly name: string };
  readonly when?: string;
}

interface Manifest {
  readonly assertions: readonly { readonly label: string; readonly data: { readonly actions?: readonly Action[] } }[];
  readonly claim_generator_info: readonly { readonly name: string }[];
  readonly ingredients?: readonly Ingredient[];
  readonly signature_info: { readonly common_name: string };
}

interface Store {
  readonly error?: string;
  readonly active_manifest: string;
  readonly manifests: Readonly<Record<string, Manifest>>;
  readonly validation_state: 'Invalid' | 'Valid' | 'Trusted';
  readonly validation_status?: readonly { readonly code: string }[];
}

export interface Credentials {
  readonly state: Store['validation_state'] | 'none';
  /** The reasons why the credentials are not valid and trusted. */
  readonly complaints: readonly string[];
  readonly actions: readonly Action[];
  readonly ingredients: readonly Ingredient[];
  readonly generator: string | undefined;
  readonly signedBy: string | undefined;
  /** The number of manifests in the file: its own, and those of its ingredients. */
  readonly manifests: number;
  /** Everything that the credentials say, as text. */
  readonly json: string;
}

export interface ReadableFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

function credentialsIn(store: Store): Credentials {
  const active = store.manifests?.[store.active_manifest];
  return {
    state: store.error ? 'none' : store.validation_state,
    complaints: store.error ? [store.error] : (store.validation_status ?? []).map(({ code }) => code),
    actions: active?.assertions.flatMap(({ data }) => data.actions ?? []) ?? [],
    ingredients: active?.ingredients ?? [],
    generator: active?.claim_generator_info[0]?.name,
    signedBy: active?.signature_info.common_name,
    manifests: Object.keys(store.manifests ?? {}).length,
    json: JSON.stringify(store),
  };
}

/** Reads the credentials of files, trusting the authorities in `trusted` (PEM), if given. */
export async function readCredentials(files: readonly ReadableFile[], trusted?: string): Promise<Credentials[]> {
  const environment = await pythonEnvironment('c2pa');
  return inTemporaryFolder(async (folder) => {
    const given = await Promise.all(
      files.map(async ({ bytes, contentType }, index) => {
        const path = join(folder, String(index));
        await writeFile(path, bytes);
        return { path, contentType };
      }),
    );
    const settings = trusted ? { verify: { verify_trust: true }, trust: { trust_anchors: trusted } } : {};
    const program = fileURLToPath(new URL('read_credentials.py', import.meta.url));
    const child = spawn(environment.program('python'), [program], {
      env: { ...environment.variables },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(JSON.stringify({ files: given, settings }));
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    return (JSON.parse(output) as Store[]).map(credentialsIn);
  });
}
