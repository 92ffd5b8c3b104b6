import { type Flow, flowSize } from '#lib/flows/in-browser.ts';

/** Number of flows that a page keeps; older ones are still in the aggregator. */
export const mostFlows = 2_000;
/** Approximate limit as JSON, because a page gets the whole view. */
export const mostCharacters = 4_000_000;

type Known = { readonly ids: Set<string>; size: number };

/** What is known of the newest list, so that the next one costs only what is new: thousands of flows come in a second, and thousands are kept. */
const known = new WeakMap<readonly Flow[], Known>();

/**
 * Appends new flows to `kept` and drops the oldest that no longer fit. A flow that came again takes its new place. Pure: ids and size are remembered
 * for its last result only; any other list is read whole.
 */
export function withFlows(kept: readonly Flow[], arrived: readonly Flow[]): Flow[] {
  const { ids, size } = known.get(kept) ?? look(kept);
  // The next list takes them over.
  known.delete(kept);
  const now: Known = { ids, size };
  const fresh = arrived.some(({ id }) => ids.has(id)) ? onlyOnce(kept, arrived, now) : kept;
  const added = distinct(arrived);
  for (const flow of added) {
    ids.add(flow.id);
    now.size += flowSize(flow);
  }
  const all = [...fresh, ...added];
  let dropped = 0;
  for (const flow of all) {
    if (now.size <= mostCharacters && all.length - dropped <= mostFlows) break;
    ids.delete(flow.id);
    now.size -= flowSize(flow);
    dropped++;
  }
  const flows = dropped === 0 ? all : all.slice(dropped);
  known.set(flows, now);
  return flows;
}

function look(flows: readonly Flow[]): Known {
  return { ids: new Set(flows.map(({ id }) => id)), size: flows.reduce((sum, flow) => sum + flowSize(flow), 0) };
}

/** The kept flows, except those that came again. */
function onlyOnce(kept: readonly Flow[], arrived: readonly Flow[], now: Known): Flow[] {
  const again = new Set(arrived.map(({ id }) => id));
  return kept.filter((flow) => {
    if (!again.has(flow.id)) return true;
    now.size -= flowSize(flow);
    return false;
  });
}

/** The last flow of each id. */
function distinct(arrived: readonly Flow[]): readonly Flow[] {
  const last = new Map(arrived.map((flow) => [flow.id, flow]));
  return last.size === arrived.length ? arrived : arrived.filter((flow) => last.get(flow.id) === flow);
}
