/** A logger whose warnings and errors a test can inspect. */
import { Logger } from '@aws-lambda-powertools/logger';

export class RecordingLogger extends Logger {
  readonly warnings: Readonly<Record<string, unknown>>[] = [];
  readonly errors: Readonly<Record<string, unknown>>[] = [];

  override error(...[message, extra]: Parameters<Logger['error']>): void {
    this.errors.push({ message, ...(extra as object) });
  }

  override warn(...[message, extra]: Parameters<Logger['warn']>): void {
    this.warnings.push({ message, ...(extra as object) });
  }
}
