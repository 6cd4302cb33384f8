/** The demo's terminal output: numbered headings, indented lines, and colors where supported. */
import { styleText } from 'node:util';
import { type ProgressLines, progressLines } from './progress-lines.ts';

type Style = Parameters<typeof styleText>[0];

export interface Screen {
  /** Styles text, if colors are supported. */
  style(style: Style, text: string): string;
  /** Prints the title of the next step. */
  heading(title: string): void;
  line(text: string): void;
  progress(): ProgressLines;
}

const indent = '   ';

export function screen(stream: NodeJS.WriteStream): Screen {
  let steps = 0;
  const write = (text: string) => void stream.write(`${text}\n`);
  const style: Screen['style'] = (format, text) => styleText(format, text, { stream });
  return {
    style,
    heading(title) {
      steps += 1;
      write(`\n${style('bold', `${steps}  ${title}`)}`);
    },
    line: (text) => write(text === '' ? '' : indent + text),
    progress: () => progressLines(stream, indent),
  };
}
