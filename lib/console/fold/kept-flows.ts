import { type Flow, flowSize } from '#lib/flows/in-browser.ts';

/** What a page remembers; older ones are still with the aggregator. */
export const mostFlows = 2_000;
/** As JSON, about: a page gets the whole view. */
export const mostCharacters = 4_000_000;

type Known = { readonly ids: Set<string>; size: number };

/** What is known of the newest list, so that the next is made by what came alone: thousands of flows come in a second, and thousands are kept. */
const known = new WeakMap<readonly Flow[], Known>();

/**
 * `kept` with those that came at its end, and without the oldest that there is no room for any more. One that came again takes its place there. Pure: of
 * the list that it made last it knows ids and size, and looks at any other as a whole.
 */
export function withFlows(kept: readonly Flow[], came: readonly Flow[]): Flow[] {
  const { ids, size } = known.get(kept) ?? look(kept);
  // The next list has them.
  known.delete(kept);
  const now: Known = { ids, size };
  const fresh = came.some(({ id }) => ids.has(id)) ? onlyOnce(kept, came, now) : kept;
  const added = distinct(came);
  for (const flow of added) {
    ids.add(flow.id);
    now.size += flowSize(flow);
  }
  const all = [...fresh, ...added];
  let gone = 0;
  for (const flow of all) {
    if (now.size <= mostCharacters && all.length - gone <= mostFlows) break;
    ids.delete(flow.id);
    now.size -= flowSize(flow);
    gone++;
  }
  const flows = gone === 0 ? all : all.slice(gone);
  known.set(flows, now);
  return flows;
}

function look(flows: readonly Flow[]): Known {
  return { ids: new Set(flows.map(({ id }) => id)), size: flows.reduce((sum, flow) => sum + flowSize(flow), 0) };
}

/** Without those that came again. */
function onlyOnce(kept: readonly Flow[], came: readonly Flow[], now: Known): Flow[] {
  const again = new Set(came.map(({ id }) => id));
  return kept.filter((flow) => {
    if (!again.has(flow.id)) return true;
    now.size -= flowSize(flow);
    return false;
  });
}

/** The last of each id. */
function distinct(came: readonly Flow[]): readonly Flow[] {
  const last = new Map(came.map((flow) => [flow.id, flow]));
  return last.size === came.length ? came : came.filter((flow) => last.get(flow.id) === flow);
}
