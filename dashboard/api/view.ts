/**
 * The operator's view of an account that these pages show. Its id is in the path, so that every link and tab of the view
 * keeps it, and other tabs keep the session of their owner.
 */

const form = /^\/account\/view\/([0-9a-f-]{36})(?:\/|$)/;

/** Tests have no location. */
const { location } = globalThis as { readonly location?: { readonly pathname: string } };

/** The id of the view; undefined for the owner of the account. */
export const viewId = form.exec(location?.pathname ?? '')?.[1];

/** The path of the pages of a view. */
export const viewPathOf = (id: string): string => `/account/view/${id}/`;
