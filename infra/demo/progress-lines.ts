/** Lines that change: in place on a terminal, one after the other elsewhere. */
import { clearScreenDown, moveCursor } from 'node:readline';
import { nameWidth } from './sentences.ts';

export interface Progress {
  readonly name: string;
  readonly status: string;
  readonly percent: number;
}

export interface ProgressLines {
  show(progress: readonly Progress[]): void;
}

const barWidth = 30;
const statusWidth = 'processing'.length;

function bar(percent: number): string {
  const done = Math.round((percent / 100) * barWidth);
  return '█'.repeat(done) + '░'.repeat(barWidth - done);
}

const percentage = (percent: number): string => `${String(percent).padStart(3)} %`;

const live = ({ name, status, percent }: Progress): string =>
  `${name.padEnd(nameWidth)}  ${bar(percent)}  ${percentage(percent)}  ${status}`;

const plain = ({ name, status, percent }: Progress): string =>
  `${name.padEnd(nameWidth)}  ${status.padEnd(statusWidth)} ${percentage(percent)}`;

/** A dumb terminal can not move its cursor. */
const canRedraw = (stream: NodeJS.WriteStream): boolean => stream.isTTY && process.env.TERM !== 'dumb';

export function progressLines(stream: NodeJS.WriteStream, indent: string): ProgressLines {
  let shown = '';
  const redraws = canRedraw(stream);
  const textOf = (progress: readonly Progress[]): string =>
    redraws ? progress.map((one) => indent + live(one)).join('\n') : indent + progress.map(plain).join('      ');
  return {
    show(progress) {
      const text = textOf(progress);
      if (text === shown) return;
      if (redraws && shown !== '') {
        moveCursor(stream, 0, -shown.split('\n').length);
        clearScreenDown(stream);
      }
      stream.write(`${text}\n`);
      shown = text;
    },
  };
}
