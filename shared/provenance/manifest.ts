/** Describes in a manifest of C2PA how a file was made, and from what. */
import { type C2pa, c2paModule, memoryBlob } from './c2pa-module.ts';
import type { SignerDefinition } from './manifest-signer.ts';
import type { Origin, OriginInput } from './provenance.ts';
import { hasExcessiveCredentials, withReadableCredentials } from './readable-credentials.ts';

/** Settings of the library: it fetches nothing while it reads a file, and adds no thumbnails. */
const librarySettings = {
  // The key of an identity would be fetched from the host that the file names.
  core: { decode_identity_assertions: false },
  verify: { remote_manifest_fetch: false, ocsp_fetch: false },
  builder: { thumbnail: { enabled: false } },
};

const readerSettings = JSON.stringify(librarySettings);

const sourceTypes = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

export type File = Uint8Array<ArrayBuffer>;

/** An assertion of a manifest, as the library expects it. */
export interface Assertion {
  readonly label: string;
  readonly data: object;
}

export interface Marking {
  readonly file: File;
  readonly contentType: string;
  readonly origin: Origin;
  readonly generator: { readonly name: string; readonly version: string };
  /**
   * The hash that binds the manifest to the content of a file, if the library gets only a skeleton without that
   * content.
   */
  readonly binding?: Assertion;
}

interface Ingredient extends Pick<OriginInput, 'contentType'> {
  readonly relationship: 'parentOf' | 'inputTo';
  readonly bytes?: File | undefined;
}

/** The bytes as a plain `Uint8Array`: some methods of Node's `Buffer` behave differently. */
export const fileOf = ({ buffer, byteOffset, length }: Uint8Array): File =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, length);

/** Whether a file already contains credentials, valid or not. */
async function hasCredentials({ WasmReader }: C2pa, file: File, contentType: string): Promise<boolean> {
  try {
    (await WasmReader.fromBytes(contentType, file, readerSettings)).free();
    return true;
  } catch (error) {
    return !String(error).includes('JumbfNotFound');
  }
}

/** The ingredients that a manifest names. At most one is the parent: the file itself, if it already has credentials. */
function ingredientsOf({ file, contentType, origin: { inputs } }: Marking, isMarked: boolean): Ingredient[] {
  const parent = isMarked ? undefined : inputs.find(({ isEdited }) => isEdited);
  const others = withReadableCredentials(inputs).map((input, index): Ingredient => {
    const { contentType: type, bytes } = input;
    return {
      relationship: inputs[index] === parent ? 'parentOf' : 'inputTo',
      contentType: type,
      bytes: bytes && fileOf(bytes),
    };
  });
  return isMarked ? [{ relationship: 'parentOf', contentType, bytes: file }, ...others] : others;
}

const labelOf = (index: number): string => `ingredient-${index + 1}`;

/** The unsigned manifest. C2PA requires that its first action is the creation, or the opening of the parent. */
function manifestOf({ origin, generator, binding }: Marking, ingredients: readonly Ingredient[]) {
  const { digitalSourceType, softwareAgent, at } = origin;
  const isParent = ({ relationship }: Ingredient) => relationship === 'parentOf';
  const parent = ingredients.findIndex(isParent);
  const influences = ingredients.flatMap((ingredient, index) => (isParent(ingredient) ? [] : [labelOf(index)]));
  const isCreated = digitalSourceType === 'trainedAlgorithmicMedia';
  const made = {
    // A file that already has credentials was created by someone else; the service only publishes it.
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
    assertions: [
      { label: 'c2pa.actions.v2', data: { actions, allActionsIncluded: true } },
      ...(binding ? [binding] : []),
    ],
  };
}

type Builder = ReturnType<C2pa['WasmBuilder']['fromJson']>;

/** Adds an ingredient, with its own credentials if it has any that can be read. */
async function addIngredient(builder: Builder, { relationship, contentType, bytes }: Ingredient, label: string) {
  const named = JSON.stringify({ relationship, label, ...(contentType && { format: contentType }) });
  if (!bytes || !contentType) return builder.addIngredient(named);
  const added = builder.addIngredientFromBlob(named, contentType, memoryBlob(bytes));
  // An ingredient whose credentials are damaged is named without them.
  await added.catch(() => builder.addIngredient(named));
}

export interface Signed {
  /** The file with its manifest, and the manifest alone. */
  readonly asset: Uint8Array;
  readonly manifest: Uint8Array;
}

/** A manifest of a file, ready to be signed. Whoever starts it must free it. */
export interface Draft {
  /** Signs it, if given, with another assertion in place of the one with the same label. */
  sign(signer: SignerDefinition, replaced?: Assertion): Promise<Signed>;
  free(): void;
}

export type StartDraft = (marking: Marking) => Promise<Draft>;

/** Describes a file on the calling thread. */
export const draftHere: StartDraft = async (marking) => {
  const c2pa = await c2paModule();
  const { file, contentType, binding } = marking;
  // Credentials that could take long to read are replaced, as if there were none.
  const isReadable = !hasExcessiveCredentials({ bytes: file, contentType });
  const isMarked = isReadable && (await hasCredentials(c2pa, file, contentType));
  const ingredients = ingredientsOf(marking, isMarked);
  const settings = {
    ...librarySettings,
    verify: {
      ...librarySettings.verify,
      // The binding is added here, because the manifest of a mere skeleton would not match the file.
      ...(binding && { verify_after_sign: false, verify_after_reading: !isMarked }),
    },
  };
  const manifest = manifestOf(marking, ingredients);
  const builder = c2pa.WasmBuilder.fromJson(JSON.stringify(manifest), JSON.stringify(settings));
  try {
    for (const [index, ingredient] of ingredients.entries()) await addIngredient(builder, ingredient, labelOf(index));
  } catch (error) {
    builder.free();
    throw error;
  }
  return {
    async sign(signer, replaced) {
      if (replaced) builder.updateAssertionsAt(replaced.label, [replaced.data]);
      return (await builder.signAndGetManifestBytes(signer, [], contentType, memoryBlob(file))) as Signed;
    },
    free: () => builder.free(),
  };
};
