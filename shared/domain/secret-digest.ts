/** What a secret of a browser is stored under or by: its value itself is never stored. */
import { createHash } from 'node:crypto';

export const secretDigest = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
