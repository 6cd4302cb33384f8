/** A logger whose warnings a test can look at. */
import { Logger } from '@aws-lambda-powertools/logger';

export class RecordingLogger extends Logger {
  readonly warnings: Readonly<Record<string, unknown>>[] = [];

  override warn(...[message, extra]: Parameters<Logger['warn']>): void {
    this.warnings.push({ message, ...(extra as object) });
  }
}
