/** Where built files are. Bundles replace this module: there, they are beside the function's program. */
import { join } from 'node:path';

/** The folder with the documentation site or the packages of the clients. */
export const builtFolder = (name: 'docs' | 'clients'): string => join(import.meta.dirname, '../../build', name);
