/** Names of constructs and stacks, made of kebab-case names of files and folders. */
export const pascalCase = (kebabCase: string): string =>
  kebabCase.replaceAll(/(^|-)([a-z])/g, (_, _dash, letter: string) => letter.toUpperCase());
