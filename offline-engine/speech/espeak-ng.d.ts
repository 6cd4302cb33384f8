/** Types for the part of the untyped `espeak-ng` package that is used here. */
declare module 'espeak-ng' {
  interface FileSystem {
    mkdirTree(path: string): void;
    writeFile(path: string, content: string): void;
    readFile(path: string): Uint8Array;
  }
  interface Program {
    readonly FS: FileSystem;
  }
  /** Runs the command-line program once, with its own memory and file system. */
  export default function run(options: {
    arguments: readonly string[];
    noExitRuntime: boolean;
    preRun: readonly ((program: Program) => void)[];
    print(line: string): void;
    printErr(line: string): void;
  }): Promise<Program>;
}
