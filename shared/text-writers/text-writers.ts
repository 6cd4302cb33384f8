/** The text writer of this service. */
import { templateWriter } from './template-writer.ts';
import type { TextWriter } from './text-writer.ts';

export const textWriter = (): TextWriter => templateWriter;
