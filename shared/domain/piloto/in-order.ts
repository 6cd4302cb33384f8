/** Rows in the order of their ids; a batch of rows is read in any order. */
export const inOrder = <Row>(ids: readonly string[], rows: readonly Row[], idOf: (row: Row) => string): Row[] => {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};
