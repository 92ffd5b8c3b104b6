import { bucketSeconds, type Flow, historySeconds, type TimeRange } from '../flow.ts';
import { FlowError } from '../flow-error.ts';
import { flowSize } from '../flow-size.ts';
import { keyHash } from '../wire/read-flow.ts';

export const pageSize = 2_000;
/** Bytes that this process may hold: some 300,000 flows, or fewer with long labels. */
const mostListed = 500_000_000;
/** Stops an aggregator whose pages never end and bring nothing new. */
const mostPages = 2_000;

type Page = { readonly pages: number; readonly flows: readonly Flow[] };

/**
 * All flows of a range, each once. A range relative to now moves while pages are read, and flows with it from page to page. So if the first answer is
 * not all, every page is requested for a fixed time range. Late reports may still move a flow to another page; a known flow is not added again.
 */
export async function allPages(
  range: TimeRange,
  ask: (range: TimeRange, page: number) => Promise<Page>,
  most: number = mostListed,
): Promise<Flow[]> {
  const first = await ask(range, 0);
  if (first.pages <= 1) return [...first.flows];
  const flows = new Map<string, Flow>();
  let size = 0;
  const fixed = fixedRange(range, first);
  for (let page = 0, pages = first.pages; page < pages; page++) {
    if (page >= mostPages) throw tooMuch();
    const answer = await ask(fixed, page);
    pages = answer.pages;
    for (const flow of answer.flows) {
      const key = keyHash(flow);
      if (flows.has(key)) continue;
      flows.set(key, flow);
      size += flowSize(flow);
    }
    if (size > most) throw tooMuch();
  }
  return [...flows.values()];
}

/**
 * The range in fixed times, by the aggregator's clock as its newest flow shows it. What the aggregator forgets during the requests is left out: some
 * seconds per page, of a whole hour.
 */
function fixedRange({ gte, lt }: TimeRange, { pages, flows }: Page): TimeRange {
  const newest = flows.reduce((latest, { end }) => Math.max(latest, end), 0);
  if (newest === 0) return { gte, lt };
  const now = (lt < 0 ? newest - lt : newest) - bucketSeconds;
  const oldest = now - historySeconds + 4 * bucketSeconds + pages;
  const from = gte > 0 ? gte : gte < 0 ? now + gte : oldest;
  const fixed = { gte: Math.max(from, oldest), lt: lt > 0 ? lt : newest };
  return fixed.gte < fixed.lt ? fixed : { gte, lt };
}

export function tooMuch(): FlowError {
  return new FlowError(
    'refused',
    'The aggregator has more flows than fit into memory here. Ask for a shorter time, or for fewer flows.',
  );
}
