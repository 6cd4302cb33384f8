/** Where the archives of an account's exports are in the bucket of inputs. */
export const exportsFolder = (accountId: string): string => `exports/${accountId}/`;
