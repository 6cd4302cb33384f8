/** The peak memory of this process's descendants, by what they run. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

export interface PeakMemory {
  /** The largest resident size of any process that runs a program, in MiB. */
  stop(): Readonly<Record<string, number>>;
}

interface Seen {
  readonly pid: number;
  readonly parent: number;
  readonly program: string;
  readonly peakMebibytes: number;
}

function look(pid: string): Seen | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    const [program = '', ...rest] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const script = rest.find((argument) => argument.endsWith('.ts'));
    const name = basename(script ?? program);
    return { pid: Number(pid), parent: field('PPid'), program: name, peakMebibytes: field('VmHWM') / 1024 };
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}

/** The kernel records the peak of each process, so one that runs for a while is measured exactly. */
export function watchMemory(everyMs = 100): PeakMemory {
  const peaks = new Map<string, number>();
  const record = () => {
    const all = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => look(pid) ?? []);
    const family = new Set([process.pid]);
    for (const { pid, parent } of all.toSorted((one, other) => one.pid - other.pid)) {
      if (family.has(parent)) family.add(pid);
    }
    for (const { pid, program, peakMebibytes } of all) {
      if (family.has(pid)) peaks.set(program, Math.max(peaks.get(program) ?? 0, peakMebibytes));
    }
  };
  const timer = setInterval(record, everyMs);
  return {
    stop() {
      clearInterval(timer);
      return Object.fromEntries([...peaks].map(([program, peak]) => [program, Math.round(peak)]));
    },
  };
}
