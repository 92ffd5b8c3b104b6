import { type Flow, flowSize } from '#lib/flows/in-browser.ts';
import type { FlowsEvent, FlowsView } from './view.ts';

/** What a page remembers; older ones are still with the aggregator. */
export const mostFlows = 2_000;
/** As JSON, about: a page gets the whole view. */
export const mostCharacters = 4_000_000;

/** Flows of a cluster after one more event: newest last, the newest that there is room for. Pure. */
export function foldFlows(view: FlowsView, event: FlowsEvent, id: number | null): FlowsView {
  if (event.event === 'snapshot') return event.data;
  if (id === null || id <= view.revision) return view;
  const seen = { ...view, revision: id };
  switch (event.event) {
    case 'flows': {
      const again = new Set(event.data.flows.map((flow) => flow.id));
      const kept = view.flows.some((flow) => again.has(flow.id))
        ? view.flows.filter((flow) => !again.has(flow.id))
        : view.flows;
      return { ...seen, flows: newest([...kept, ...event.data.flows]), stale: null };
    }
    case 'gap':
      return { ...seen, gaps: [...view.gaps, event.data.since].slice(-10) };
    case 'problem':
      return { ...seen, stale: { since: event.data.since, message: event.data.message } };
    case 'heartbeat':
    case 'end':
      return view;
  }
}

function newest(flows: readonly Flow[]): Flow[] {
  let size = 0;
  const tooMany = flows.findLastIndex((flow, index) => {
    size += flowSize(flow);
    return size > mostCharacters || flows.length - index > mostFlows;
  });
  return flows.slice(tooMany + 1);
}
