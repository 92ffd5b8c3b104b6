/** Approximate heights of the page's parts at the width where it gets two columns, px. `found`: the height to which its rows grow beside a longer column. */
const heights = {
  panel: 57,
  foundRow: 46,
  found: 672,
  question: 140,
  listed: 22,
  fix: 78,
  rowOfNodes: 64,
  restOfNodes: 66,
} as const;

/** More questions than this are shown as a list of links to their answers. */
const mostQuestions = 2;

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
  const question = questions.length > mostQuestions ? heights.listed : heights.question;
  const right = panel(questions, question) + panel(fixes, heights.fix);
  const strip = heights.panel + heights.restOfNodes + Math.ceil(nodes.length / nodesInRow) * heights.rowOfNodes;
  const apart = (high: number) => Math.max(left - high, high - Math.max(left, heights.found), 0);
  return apart(right + strip) < apart(right);
}
