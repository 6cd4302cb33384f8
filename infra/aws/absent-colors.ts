/** Replaces `supports-color` in bundles, because logs have no colors. */
export default false;
