/** Where the built documentation site is. Bundles replace this module: there, it is beside the function's program. */
import { join } from 'node:path';

export const docsFolder = join(import.meta.dirname, '../../build/docs');
