/** What this process writes, for tests that search it. */
import { Console } from 'node:console';
import { vi } from 'vitest';

/** Records what this process writes from now on instead of printing it; no other test file may run in the process. */
export function recordedOutput() {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += String(text);
      return true;
    });
  }
  // Vitest's own console does not write to these streams.
  vi.stubGlobal('console', new Console(process));
  return output;
}
