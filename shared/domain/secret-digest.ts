/** The digest under which a browser's secret is stored; the secret itself is never stored. */
import { createHash } from 'node:crypto';

export const secretDigest = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
