/** The part of Eleventy that builds the site; the package has no types. */
declare module '@11ty/eleventy' {
  interface Template {
    readonly inputPath: string;
    readonly url: string;
    readonly content: string;
  }

  export interface Configuration {
    setUseGitIgnore(isUsed: boolean): void;
    setTemplateFormats(formats: readonly string[]): void;
    setLibrary(format: string, library: { render(text: string, data: never): string }): void;
    addCollection(name: string, collect: (pages: { getAll(): readonly { readonly data: never }[] }) => unknown): void;
    addGlobalData(name: string, data: unknown): void;
    addTemplate(
      path: string,
      content: string | ((data: never) => string),
      data?: Readonly<Record<string, unknown>>,
    ): void;
  }

  export default class Eleventy {
    constructor(
      input: string,
      output: string,
      options: {
        readonly quietMode: boolean;
        readonly configPath: null;
        readonly config: (configuration: Configuration) => void;
      },
    );
    toJSON(): Promise<readonly Template[]>;
  }
}
