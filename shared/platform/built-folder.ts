/** Where built files are. Bundles replace this module: there, they are beside the function's program. */
import { join } from 'node:path';

/** The folder with the documentation site, the packages of the clients, or the page that checks files. */
export const builtFolder = (name: 'docs' | 'clients' | 'verify'): string =>
  join(import.meta.dirname, '../../build', name);
