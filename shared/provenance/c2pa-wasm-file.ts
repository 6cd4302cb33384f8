/**
 * The path of the C2PA library's WebAssembly file. In a bundle this module is replaced: there the file is next to the
 * function's code.
 */
import { fileURLToPath } from 'node:url';

export const c2paWasmFile = (): string => fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm'));
