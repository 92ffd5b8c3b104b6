import {
  calicoReleases,
  defaultRegistries,
  enterpriseReleases,
  enterpriseTrains,
  imageLists,
  imageUses,
  isUnknown,
  type Known,
  operatorTrains,
  testedWith,
  testedWithOf,
} from '#lib/spec/index.ts';
import { code } from '../markdown.ts';
import type { ReferenceTable } from '../reference-table.ts';
import { rangeText } from './gates.ts';

export function releaseTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'Releases',
    intro: '',
    columns: ['Release', 'Operator', 'Tested with Kubernetes'],
    rows: calicoReleases.map(({ version, operator, installs, source, read }) => ({
      id: version,
      cells: [
        version,
        isUnknown(operator) || installs === undefined ? operator : `${operator}, which installs ${installs}`,
        kubernetes(version),
      ],
      source,
      read,
    })),
  };
}

export function operatorTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'Operators',
    intro: 'Never by arithmetic: odd minors belong to another product.',
    columns: ['Operator', 'Calico', 'Patches that are known'],
    rows: operatorTrains.map(({ operator, calico, patches, source, read }) => ({
      id: operator,
      cells: [
        `v${operator}`,
        `v${calico}`,
        patches
          .map(({ from, to, calico: patch }) => `.${from === to ? from : `${from}–.${to}`} is v${patch}`)
          .join(', '),
      ],
      source,
      read,
    })),
  };
}

/** Both products are meant: which operator, and from which Calico. */
export function enterpriseTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'Calico Enterprise',
    intro:
      'It counts its releases on its own, and its files ask for `variant: TigeraSecureEnterprise`. Nothing of it was tried here; it installs from its own files, and what the checks say of it was read from Calico.',
    columns: ['Release', 'Operator', 'Built from Calico'],
    rows: [
      ...enterpriseReleases.map(({ version, operator, calico, source, read }) => ({
        id: `enterprise ${version}`,
        cells: [version, operator, `v${calico}`],
        source,
        read,
      })),
      ...enterpriseTrains.map(({ operator, source, read }) => ({
        id: `enterprise ${operator}`,
        cells: [
          { unknown: 'its own component versions' },
          `v${operator}`,
          { unknown: 'status.calicoVersion of the Installation' },
        ],
        source,
        read,
      })),
    ],
  };
}

export function kubernetesTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'Kubernetes',
    intro: '',
    columns: ['Calico', 'Kubernetes'],
    rows: testedWith.map(({ calico, from, to, source, read }) => ({
      id: calico,
      cells: [calico, `${from} to ${to}`],
      source,
      read,
    })),
  };
}

export function registryTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'Default registries',
    intro: '',
    columns: ['What', 'Registry', 'Releases', 'Note'],
    rows: defaultRegistries.map(({ what, registry, releases, note, source, read }) => ({
      id: `${what} ${rangeText(releases)}`,
      cells: [what, code(registry), rangeText(releases), note],
      source,
      read,
    })),
  };
}

/** One list a release and way of installing, image by image. */
export function imageListTable(): ReferenceTable {
  return {
    kind: 'records',
    title: 'Images of a release',
    intro: 'What is missing in a list says so. The operator itself tells all of its images with `--print-images=list`.',
    records: imageLists.map(({ release, by, images, missing, source, read }) => ({
      id: `${release} ${by}`,
      title: `${release}, ${by}`,
      state: 'idle',
      facts: [
        ...images.map((image) => ({ label: null, text: code(image) })),
        ...(isUnknown(missing) ? [{ label: 'Missing here', text: missing }] : []),
      ],
      commands: null,
      source,
      read,
    })),
  };
}

export function imageUseTable(): ReferenceTable {
  return {
    kind: 'table',
    title: 'What each image is for',
    intro: '',
    columns: ['Image', 'Needed by'],
    rows: imageUses.map(({ image, neededBy, source, read }) => ({
      id: image,
      cells: [code(image), neededBy],
      source,
      read,
    })),
  };
}

function kubernetes(version: string): Known<string> {
  const row = testedWithOf(version);
  return row === null ? { unknown: 'the requirements page of its documentation' } : `${row.from} to ${row.to}`;
}
