/** Marks files with Content Credentials: manifests of C2PA that are signed by the service and embedded in the file. */
import { X509Certificate } from 'node:crypto';
import { type ContentSigner, contentSigner } from '../platform/content-signer.ts';
import type { PortSource } from '../platform/port-source.ts';
import { type C2pa, c2paModule, memoryBlob } from './c2pa-module.ts';
import { coseSign1, protectedHeader, toBeSigned } from './cose-sign1.ts';
import type { Origin, OriginInput, Provenance } from './provenance.ts';

/** Signing takes about five times the file in memory, which the function's memory limit allows up to this size. */
const maxMarkedBytes = 32 * 2 ** 20;

/** Space for a signature and its headers, in addition to the certificates. */
const signatureBytes = 512;

const sourceTypes = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

/** Nothing is fetched while files are read, and manifests contain no thumbnails. */
const librarySettings = JSON.stringify({
  verify: { remote_manifest_fetch: false, ocsp_fetch: false },
  builder: { thumbnail: { enabled: false } },
});

type File = Uint8Array<ArrayBuffer>;

interface Ingredient extends Pick<OriginInput, 'contentType'> {
  readonly relationship: 'parentOf' | 'inputTo';
  readonly bytes?: File | undefined;
}

/** The same bytes as a plain array, because methods of Node's buffers differ. */
const fileOf = ({ buffer, byteOffset, length }: Uint8Array): File =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, length);

/** Whether a file already contains credentials, valid or not. */
async function hasCredentials({ WasmReader }: C2pa, file: File, contentType: string): Promise<boolean> {
  try {
    (await WasmReader.fromBytes(contentType, file, librarySettings)).free();
    return true;
  } catch (error) {
    return !String(error).includes('JumbfNotFound');
  }
}

/** The files that a manifest names: one parent at most, which is the file itself if it already has credentials. */
async function ingredientsOf(c2pa: C2pa, file: File, contentType: string, { inputs }: Origin): Promise<Ingredient[]> {
  const isMarked = await hasCredentials(c2pa, file, contentType);
  const parent = isMarked ? undefined : inputs.find(({ isEdited }) => isEdited);
  const others = inputs.map((input): Ingredient => {
    const { contentType: type, bytes } = input;
    return {
      relationship: input === parent ? 'parentOf' : 'inputTo',
      contentType: type,
      bytes: bytes && fileOf(bytes),
    };
  });
  return isMarked ? [{ relationship: 'parentOf', contentType, bytes: file }, ...others] : others;
}

const labelOf = (index: number): string => `ingredient-${index + 1}`;

/** The manifest before it is signed. C2PA requires that it begins with the creation, or with the opened parent. */
function manifestOf(origin: Origin, ingredients: readonly Ingredient[], generator: { name: string; version: string }) {
  const { digitalSourceType, softwareAgent, at } = origin;
  const isParent = ({ relationship }: Ingredient) => relationship === 'parentOf';
  const parent = ingredients.findIndex(isParent);
  const influences = ingredients.flatMap((ingredient, index) => (isParent(ingredient) ? [] : [labelOf(index)]));
  const isCreated = digitalSourceType === 'trainedAlgorithmicMedia';
  const made = {
    // A creation that already has credentials was created before: the service only publishes it.
    action: parent < 0 ? 'c2pa.created' : isCreated ? 'c2pa.published' : 'c2pa.edited',
    when: at,
    digitalSourceType: `${sourceTypes}${digitalSourceType}`,
    softwareAgent: { name: softwareAgent },
    ...(influences.length > 0 && { parameters: { ingredientIds: influences } }),
  };
  const opened = { action: 'c2pa.opened', when: at, parameters: { ingredientIds: [labelOf(parent)] } };
  const actions = parent < 0 ? [made] : [opened, made];
  return {
    claim_generator_info: [generator],
    assertions: [{ label: 'c2pa.actions.v2', data: { actions, allActionsIncluded: true } }],
  };
}

type Builder = ReturnType<C2pa['WasmBuilder']['fromJson']>;

/** Names an ingredient, with its own credentials if it has any that can be read. */
async function addIngredient(builder: Builder, { relationship, contentType, bytes }: Ingredient, label: string) {
  const named = JSON.stringify({ relationship, label, ...(contentType && { format: contentType }) });
  if (!bytes || !contentType) return builder.addIngredient(named);
  const added = builder.addIngredientFromBlob(named, contentType, memoryBlob(bytes));
  // The library does not read every type of input; such a file is named without credentials.
  await added.catch(() => builder.addIngredient(named));
}

async function signerOf(signer: ContentSigner) {
  const certificates = await signer.certificates();
  const header = protectedHeader(certificates);
  const reserveSize = header.length + signatureBytes;
  // The library would replace an error of the key by one of its own.
  const failures: unknown[] = [];
  const sign = async (payload: Uint8Array) => {
    const signature = await signer.sign(toBeSigned(header, payload)).catch((error: unknown) => {
      failures.push(error);
      throw error;
    });
    return coseSign1(header, signature, reserveSize);
  };
  return { definition: { alg: 'es256', reserveSize, sign }, signedBy: commonNameOf(certificates[0]), failures };
}

function commonNameOf(certificate: Uint8Array | undefined): string {
  const { subject } = new X509Certificate(certificate ?? new Uint8Array());
  return /^CN=(.+)$/m.exec(subject)?.[1] ?? 'unknown';
}

/** Runs tasks one after the other: each needs a multiple of its file in memory. */
function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(task: () => Promise<Result>): Promise<Result> => {
    const next = last.then(task, task);
    last = next.catch(() => undefined);
    return next;
  };
}

const unmarked: Provenance = {
  maxBytes: 0,
  allowsUnmarked: true,
  mark: () => Promise.reject(new Error('results are not marked')),
};

/** The library throws texts that may quote the file, of which only the kind is passed on: `C2pa(InvalidAsset(…))`. */
function markingFailed(error: unknown): Error {
  if (error instanceof Error) return error;
  const kind = /^\w+\((\w+)/.exec(String(error))?.[1] ?? 'unknown';
  return Object.assign(new Error(`a file could not be marked: ${kind}`), { name: 'MarkingFailed' });
}

/** Marks files with the configured key; none without a key. */
export function contentCredentials({ settings, clock }: PortSource): Provenance {
  if (settings.contentSigningKey === 'none') return unmarked;
  const signer = contentSigner({ settings, clock });
  const generator = { name: settings.serviceName, version: settings.version };
  const inTurn = oneAtATime();

  async function mark(given: Uint8Array, contentType: string, origin: Origin) {
    const c2pa = await c2paModule();
    const { definition, signedBy, failures } = await signerOf(signer);
    const file = fileOf(given);
    const ingredients = await ingredientsOf(c2pa, file, contentType, origin);
    const manifest = manifestOf(origin, ingredients, generator);
    const builder = c2pa.WasmBuilder.fromJson(JSON.stringify(manifest), librarySettings);
    try {
      for (const [index, ingredient] of ingredients.entries()) await addIngredient(builder, ingredient, labelOf(index));
      return { bytes: await builder.sign(definition, [], contentType, memoryBlob(file)), signedBy };
    } catch (error) {
      throw markingFailed(failures[0] ?? error);
    } finally {
      builder.free();
    }
  }

  return {
    maxBytes: maxMarkedBytes,
    allowsUnmarked: settings.unmarkedResults === 'stored',
    mark: (...given) => inTurn(() => mark(...given)),
  };
}
