/** Describes in a manifest of C2PA how a file was made, and from what. */
import { type C2pa, memoryBlob } from './c2pa-module.ts';
import type { Origin, OriginInput } from './provenance.ts';

/** Nothing is fetched while files are read, and manifests contain no thumbnails. */
const librarySettings = {
  verify: { remote_manifest_fetch: false, ocsp_fetch: false },
  builder: { thumbnail: { enabled: false } },
};

const readerSettings = JSON.stringify(librarySettings);

const sourceTypes = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

export type File = Uint8Array<ArrayBuffer>;

/** A statement of a manifest, as the library takes it. */
export interface Assertion {
  readonly label: string;
  readonly data: object;
}

export interface Marking {
  readonly file: File;
  readonly contentType: string;
  readonly origin: Origin;
  readonly generator: { readonly name: string; readonly version: string };
  /** What binds the manifest to a content that is not in the file, which is then only a skeleton of it. */
  readonly binding?: Assertion;
}

interface Ingredient extends Pick<OriginInput, 'contentType'> {
  readonly relationship: 'parentOf' | 'inputTo';
  readonly bytes?: File | undefined;
}

/** The same bytes as a plain array, because methods of Node's buffers differ. */
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

/** The files that a manifest names: one parent at most, which is the file itself if it already has credentials. */
function ingredientsOf({ file, contentType, origin: { inputs } }: Marking, isMarked: boolean): Ingredient[] {
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
function manifestOf({ origin, generator, binding }: Marking, ingredients: readonly Ingredient[]) {
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
    assertions: [
      { label: 'c2pa.actions.v2', data: { actions, allActionsIncluded: true } },
      ...(binding ? [binding] : []),
    ],
  };
}

export type Builder = ReturnType<C2pa['WasmBuilder']['fromJson']>;

/** Names an ingredient, with its own credentials if it has any that can be read. */
async function addIngredient(builder: Builder, { relationship, contentType, bytes }: Ingredient, label: string) {
  const named = JSON.stringify({ relationship, label, ...(contentType && { format: contentType }) });
  if (!bytes || !contentType) return builder.addIngredient(named);
  const added = builder.addIngredientFromBlob(named, contentType, memoryBlob(bytes));
  // The library does not read every type of input; such a file is named without credentials.
  await added.catch(() => builder.addIngredient(named));
}

/** A manifest of a file, ready to be signed. Whoever calls this must free it. */
export async function manifestBuilder(c2pa: C2pa, marking: Marking): Promise<Builder> {
  const { file, contentType, binding } = marking;
  const isMarked = await hasCredentials(c2pa, file, contentType);
  const ingredients = ingredientsOf(marking, isMarked);
  const settings = {
    ...librarySettings,
    verify: {
      ...librarySettings.verify,
      // Without its content, a manifest would seem not to be that of its file.
      ...(binding && { verify_after_sign: false, verify_after_reading: !isMarked }),
    },
  };
  const manifest = manifestOf(marking, ingredients);
  const builder = c2pa.WasmBuilder.fromJson(JSON.stringify(manifest), JSON.stringify(settings));
  try {
    for (const [index, ingredient] of ingredients.entries()) await addIngredient(builder, ingredient, labelOf(index));
    return builder;
  } catch (error) {
    builder.free();
    throw error;
  }
}
