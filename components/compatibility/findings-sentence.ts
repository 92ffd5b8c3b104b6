import { type FindingInState, openCounts } from '#lib/console/wizard/index.ts';

const words = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

/** "One must be fixed, two are yours to decide." */
export function findingsSentence(found: readonly FindingInState[]): string {
  const { blocking, toDecide } = openCounts(found);
  if (blocking === 0 && toDecide === 0) return 'Nothing stands in the way.';
  const fix = blocking === 0 ? null : `${inWords(blocking)} must be fixed`;
  const decide = toDecide === 0 ? null : `${inWords(toDecide)} ${toDecide === 1 ? 'is' : 'are'} yours to decide`;
  if (fix === null) return `${decide}.`;
  return decide === null ? `${fix}.` : `${fix}, ${decide.charAt(0).toLowerCase()}${decide.slice(1)}.`;
}

function inWords(count: number): string {
  return words[count] ?? String(count);
}
