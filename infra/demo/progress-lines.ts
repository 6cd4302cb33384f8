/** Progress lines: updated in place on a terminal, appended elsewhere. */
import { clearScreenDown, moveCursor } from 'node:readline';
import { widthOf } from './order.ts';

export interface Progress {
  readonly name: string;
  readonly status: string;
  readonly percent: number;
}

export interface ProgressLines {
  show(progress: readonly Progress[]): void;
}

const barWidth = 30;
const tasksOfRow = 2;
const statusWidth = 'processing'.length;

function bar(percent: number): string {
  const done = Math.round((percent / 100) * barWidth);
  return '█'.repeat(done) + '░'.repeat(barWidth - done);
}

const percentage = (percent: number): string => `${String(percent).padStart(3)} %`;

const live = ({ name, status, percent }: Progress, nameWidth: number): string =>
  `${name.padEnd(nameWidth)}  ${bar(percent)}  ${percentage(percent)}  ${status}`;

const plain = ({ name, status, percent }: Progress, nameWidth: number): string =>
  `${name.padEnd(nameWidth)}  ${status.padEnd(statusWidth)} ${percentage(percent)}`;

/** Whether the cursor can be moved, which a dumb terminal does not support. */
const canRedraw = (stream: NodeJS.WriteStream): boolean => stream.isTTY && process.env.TERM !== 'dumb';

/** Prints several tasks per line, so that many tasks do not need many lines. */
function plainRows(progress: readonly Progress[], nameWidth: number): readonly string[] {
  const rows = Math.ceil(progress.length / tasksOfRow);
  return Array.from({ length: rows }, (_, row) =>
    progress
      .slice(row * tasksOfRow, (row + 1) * tasksOfRow)
      .map((one) => plain(one, nameWidth))
      .join('      '),
  );
}

export function progressLines(stream: NodeJS.WriteStream, indent: string): ProgressLines {
  let shown: readonly string[] = [];
  const redraws = canRedraw(stream);
  const write = (lines: readonly string[]) => void stream.write(lines.map((line) => `${indent}${line}\n`).join(''));
  return {
    show(progress) {
      const nameWidth = widthOf(progress);
      const lines = redraws ? progress.map((one) => live(one, nameWidth)) : plainRows(progress, nameWidth);
      const changed = lines.filter((line, index) => line !== shown[index]);
      if (changed.length === 0) return;
      if (redraws && shown.length > 0) {
        moveCursor(stream, 0, -shown.length);
        clearScreenDown(stream);
      }
      write(redraws ? lines : changed);
      shown = lines;
    },
  };
}
