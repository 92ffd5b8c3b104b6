import {
  advisedFloors,
  bpfFeatures,
  distributionFloors,
  distributionRules,
  immutableSystems,
  immutableUnknown,
  isUnknown,
  type Known,
  kernelFlavours,
  kernelRules,
  loadedByAgentAlone,
} from '#lib/spec/index.ts';
import { code } from '../markdown.ts';
import type { ReferenceTable } from '../reference-table.ts';

/** What these tables are about, on the page of the documentation and of the console. */
export const aboutKernels =
  'The agent falls back to the standard data plane, silently and node by node, where the kernel is too old. These rules come before all others.';

const families = { rhel: 'the RHEL family', any: 'every other system' } as const;

export function kernelTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'Kernels',
    intro: '',
    columns: ['System', 'Kernel from'],
    rows: kernelRules.map(({ family, floor, source, read }) => ({
      id: family,
      cells: [families[family], code(floor)],
      source,
      read,
    })),
  };
}

export function flavourTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'Kernels that lack a part',
    intro: '',
    columns: ['Kernel', 'Name', 'Lacks'],
    rows: kernelFlavours.map(({ id, pattern, lacks, source, read }) => ({
      id,
      cells: [id, code(pattern.source), lacks],
      source,
      read,
    })),
  };
}

export function bpfFeatureTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'Features',
    intro: loadedByAgentAlone,
    columns: ['Feature', 'For'],
    rows: bpfFeatures.map(({ feature, neededFor, source, read }) => ({
      id: feature,
      cells: [code(feature), neededFor],
      source,
      read,
    })),
  };
}

export function advisedTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'Advised',
    intro: "What Calico's current documentation asks for. The tables above decide; this one is advice.",
    columns: ['System', 'Release from', 'Kernel from'],
    rows: advisedFloors.map(({ family, release, kernel, source, read }) => ({
      id: family,
      cells: [family, release ?? '', code(kernel)],
      source,
      read,
    })),
  };
}

export function distributionTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'Distributions',
    intro: 'Every other distribution has the rule of its kernel alone.',
    columns: ['Distribution', 'Release from', 'Except'],
    rows: distributionFloors.map(({ family, name, floor, except, source, read }) => ({
      id: family,
      cells: [name, floor, except ? `${except.release} on ${except.platform}` : ''],
      source,
      read,
    })),
  };
}

export function immutableTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'Immutable systems',
    intro: [
      'Their /usr cannot be written. `cgroupV2Path` is a field of FelixConfiguration, from v3.30.4 and v3.31.0 on; `flexVolumePath` one of the Installation.',
      ...Object.entries(immutableUnknown).map(([field, how]) => `An unknown \`${field}\`: ${how}`),
    ].join(' '),
    columns: ['System', 'cgroupV2Path', 'flexVolumePath'],
    rows: immutableSystems.map(({ id, title, cgroupV2Path, flexVolumePath, source, read }) => ({
      id,
      cells: [title, asListedAbove(cgroupV2Path), asListedAbove(flexVolumePath)],
      source,
      read,
    })),
  };
}

/** How to find it out stands above the rows, once. */
function asListedAbove(value: Known<string>): Known<string> {
  return isUnknown(value) ? { unknown: '' } : value;
}

export function systemTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'How a system is recognised',
    intro: "By a node's osImage; the first row that matches decides.",
    columns: ['System', 'Family', 'Immutable', 'osImage matches'],
    rows: distributionRules.map(({ id, family, immutable, pattern, source, read }, at) => ({
      id: `system-${at + 1}`,
      cells: [id, family, immutable ? 'yes' : '', code(pattern.source)],
      source,
      read,
    })),
  };
}
