/** How high parts of the page are, about, where it begins to have two columns; px. */
const heights = { panel: 57, foundRow: 52, question: 150, fix: 82, rowOfNodes: 60, restOfNodes: 100 } as const;

/** Nodes side by side in the narrow column. */
const nodesInRow = 2;

type Counted = { readonly length: number };

/**
 * Whether the nodes stand in the narrow column, or below both: where the columns end closer to each other. Pure.
 * Source: design of the page: two columns that do not end close to each other leave empty room.
 */
export function areNodesBeside(parts: { found: Counted; questions: Counted; fixes: Counted; nodes: Counted }): boolean {
  const { found, questions, fixes, nodes } = parts;
  const panel = (rows: Counted, high: number) => (rows.length === 0 ? 0 : heights.panel + rows.length * high);
  const left = panel(found, heights.foundRow);
  const right = panel(questions, heights.question) + panel(fixes, heights.fix);
  const strip = heights.panel + heights.restOfNodes + Math.ceil(nodes.length / nodesInRow) * heights.rowOfNodes;
  return Math.abs(left - right - strip) < Math.abs(left - right);
}
