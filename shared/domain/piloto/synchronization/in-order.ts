/** Sorts rows by a list of ids, because a batch read returns them in any order. */
export const inOrder = <Row>(ids: readonly string[], rows: readonly Row[], idOf: (row: Row) => string): Row[] => {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};
