/** The digest of a file. */
import { createHash } from 'node:crypto';

export const sha256Of = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
