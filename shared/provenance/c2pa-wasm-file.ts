/** Where the program of the C2PA library is. Bundles replace this module: there, it is beside the function's program. */
import { fileURLToPath } from 'node:url';

export const c2paWasmFile = (): string => fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm'));
