/** Converts kebab-case names of files and folders to names of constructs and stacks. */
export const pascalCase = (kebabCase: string): string =>
  kebabCase.replaceAll(/(^|-)([a-z])/g, (_, _dash, letter: string) => letter.toUpperCase());
