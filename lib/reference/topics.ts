import type { ReferenceTable } from './reference-table.ts';
import { featureTable, tcxTable, trafficLimitTable } from './tables/features.ts';
import { gateTable } from './tables/gates.ts';
import {
  aboutKernels,
  advisedTable,
  bpfFeatureTable,
  distributionTable,
  flavourTable,
  immutableTable,
  kernelTable,
  systemTable,
} from './tables/kernels.ts';
import { cloudTable, endpointTable, otherNetworkTable, platformTable, signTable } from './tables/platforms.ts';
import {
  enterpriseTable,
  imageListTable,
  imageUseTable,
  kubernetesTable,
  operatorTable,
  registryTable,
  releaseTable,
} from './tables/releases.ts';

/** What one page of the console's reference is about; several of them can stand on one page of docs/reference. */
export type ReferenceTopic = {
  /** In the page's address. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly tables: () => readonly ReferenceTable[];
};

export const referenceTopics: readonly ReferenceTopic[] = [
  {
    name: 'platforms',
    title: 'Platforms',
    about: 'How a platform is recognised, where its API server is reached, and what becomes of its service proxy.',
    tables: () => [platformTable(), signTable(), cloudTable(), otherNetworkTable()],
  },
  {
    name: 'endpoints',
    title: 'Endpoint sources',
    about: 'Where the address of the API server is read for a proposal, best first, and the doubts about each.',
    tables: () => [endpointTable()],
  },
  {
    name: 'kernels',
    title: 'Kernels and distributions',
    about: aboutKernels,
    tables: () => [
      kernelTable(),
      distributionTable(),
      advisedTable(),
      bpfFeatureTable(),
      flavourTable(),
      systemTable(),
    ],
  },
  {
    name: 'immutable',
    title: 'Immutable systems',
    about: 'Systems on which the agent needs folders of its own.',
    tables: () => [immutableTable()],
  },
  {
    name: 'features',
    title: 'Features',
    about: 'What eBPF mode does not do, and since when.',
    tables: () => [featureTable(), trafficLimitTable(), tcxTable()],
  },
  {
    name: 'gates',
    title: 'Gates',
    about:
      'A version or a kernel at which something is known to go wrong, or before which something does not exist. All that a row says must hold.',
    tables: () => [gateTable()],
  },
  {
    name: 'releases',
    title: 'Releases',
    about: 'Releases of Calico that are known here, and the operator that installs each.',
    tables: () => [releaseTable(), operatorTable(), enterpriseTable()],
  },
  {
    name: 'kubernetes',
    title: 'Kubernetes versions',
    about: 'The Kubernetes versions that a release is tested with. Others may work, untested.',
    tables: () => [kubernetesTable()],
  },
  {
    name: 'registries',
    title: 'Registries',
    about: 'Where images come from when nothing is set. A mirror or an allow-list is written for these names.',
    tables: () => [registryTable()],
  },
  {
    name: 'images',
    title: 'Images',
    about: 'What must be at hand in a mirror before a release is installed.',
    tables: () => [imageListTable(), imageUseTable()],
  },
];
