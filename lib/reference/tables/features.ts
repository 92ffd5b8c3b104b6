import { tcxKernels, trafficLimits, unsupportedFeatures } from '#lib/spec/index.ts';
import { code } from '../markdown.ts';
import type { ReferenceTable } from '../reference-table.ts';

export function featureTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'What eBPF mode does not do',
    intro: 'What eBPF mode does not do. Operator and agent accept all of it; the checks look for it.',
    columns: ['Feature', 'Not supported', 'Check', 'Note'],
    rows: unsupportedFeatures.map(({ title, since, until, check, note, source, read }) => ({
      id: title,
      cells: [title, span(since, until), code(check), note],
      source,
      read,
    })),
  };
}

function span(since: string | null, until: string | null): string {
  const from = since === null ? 'never was' : `from ${since}`;
  return until === null ? `${from}, in no release yet` : `${from}, until ${until}`;
}

/** Check `feature.traffic-limits`. */
export function trafficLimitTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'Traffic limits of pods',
    intro: 'Annotations that limit the traffic of pods, and from which release on eBPF mode holds them.',
    columns: ['Limit', 'Annotations', 'Read by Calico', 'Held in eBPF mode', 'No network in eBPF mode'],
    rows: trafficLimits.map(({ id, title, annotations, since, heldFrom, kernel, cutOffBefore, source, read }) => ({
      id,
      cells: [
        title,
        annotations.map(code).join(', '),
        since === null ? 'by the bandwidth plugin of the CNI' : `from ${since}`,
        heldFrom === null ? 'in no release yet' : `from ${heldFrom}${kernel === null ? '' : ', on nodes with TCX'}`,
        cutOffBefore === null ? 'never' : `before ${cutOffBefore}`,
      ],
      source,
      read,
    })),
  };
}

export function tcxTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'Kernels with TCX',
    intro: 'Where programs can be attached beside what shapes the traffic of pods.',
    columns: ['Kernels of', 'From'],
    rows: tcxKernels.map(({ family, floor, source, read }) => ({
      id: family,
      cells: [family === 'rhel' ? 'the RHEL family' : 'all others', floor],
      source,
      read,
    })),
  };
}
