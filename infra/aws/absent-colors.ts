/** Stands in for `supports-color` in bundles: logs have no colors. */
export default false;
