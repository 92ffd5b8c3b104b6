/** Approximate heights of the page's parts at the width where it gets two columns, px. `found`: the height to which its rows grow beside a longer column. */
const heights = {
  panel: 57,
  foundRow: 46,
  found: 672,
  question: 140,
  listed: 22,
  withheld: 440,
  unmeasured: 100,
  unmeasuredRow: 20,
  fix: 78,
  rowOfNodes: 64,
  restOfNodes: 66,
} as const;

/** More questions than this are shown as a list of links to their answers. */
const mostQuestions = 2;

/** Nodes side by side in the narrow column. */
const nodesInRow = 2;

/** Columns that end this close are drawn to one end, px; panels of a shorter one would be mostly empty. */
const closeEnough = 140;

type Counted = { readonly length: number };

type Parts = {
  readonly found: Counted;
  readonly questions: Counted;
  readonly withheld: Counted;
  readonly unmeasured: Counted;
  readonly fixes: Counted;
  /** Null: no test of the nodes is shown. */
  readonly nodes: Counted | null;
};

/** `isLevel`: the shorter column is drawn to the end of the other one. */
export type BesideFound = { readonly fixes: boolean; readonly nodes: boolean; readonly isLevel: boolean };

/**
 * Which parts stand in the narrow column, and which below both: as the columns end closest to each other. Pure.
 * Source: design of the page: two columns that do not end close to each other leave empty room.
 */
export function besideFound({ found, questions, withheld, unmeasured, fixes, nodes }: Parts): BesideFound {
  const panel = (rows: Counted, high: number) => (rows.length === 0 ? 0 : heights.panel + rows.length * high);
  const left = panel(found, heights.foundRow);
  const asked =
    panel(questions, questions.length > mostQuestions ? heights.listed : heights.question) +
    (withheld.length === 0 ? 0 : heights.withheld) +
    (unmeasured.length === 0 ? 0 : heights.unmeasured) +
    panel(unmeasured, heights.unmeasuredRow);
  const ofFixes = panel(fixes, heights.fix);
  const ofNodes =
    nodes === null
      ? 0
      : heights.panel + heights.restOfNodes + Math.ceil(nodes.length / nodesInRow) * heights.rowOfNodes;
  const apart = (right: number) => Math.max(left - right, right - Math.max(left, heights.found), 0);
  const ways = [
    { fixes: true, nodes: false, right: asked + ofFixes },
    ...(nodes === null ? [] : [{ fixes: true, nodes: true, right: asked + ofFixes + ofNodes }]),
    ...(asked === 0 || fixes.length === 0 ? [] : [{ fixes: false, nodes: false, right: asked }]),
  ].toSorted((one, other) => apart(one.right) - apart(other.right));
  const best = ways[0] ?? { fixes: true, nodes: false, right: 0 };
  return { fixes: best.fixes, nodes: best.nodes, isLevel: apart(best.right) <= closeEnough };
}
