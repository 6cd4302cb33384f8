/** What the client needs of Node's module, so that it can be compiled without the types of Node. */
export function openAsBlob(path: string): Promise<Blob>;
