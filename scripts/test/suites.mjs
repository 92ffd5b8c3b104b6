import {
  bpfCompiler,
  browser,
  calicoFiles,
  controlPlane,
  dataPlaneTools,
  debianKernel,
  nodeTools,
  recordings,
} from './needs.mjs';

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} what is real in it, for people
 * @property {'programs' | null} before `programs`: the static checks run before vitest
 * @property {'first' | 'computes' | 'waits'} lane `first`: alone, before all others. The other two run at the same time: one for suites whose time
 *   goes by computing, one for those that wait for rollouts and leave a core idle
 * @property {readonly import('./needs.mjs').Need[]} requires without one of these the suite does not run
 * @property {readonly import('./needs.mjs').Need[]} wants without one of these a part of it passes itself over
 */

/** Every suite, cheapest first in its lane: what fails fast fails first. Each has a vitest project of its name. @type {readonly Suite[]} */
export const suites = [
  {
    name: 'static',
    what: 'format, lint, types, architecture',
    before: 'programs',
    lane: 'first',
    requires: [],
    wants: [],
  },
  {
    name: 'unit',
    what: 'one folder at a time, no cluster',
    before: null,
    lane: 'computes',
    requires: [],
    wants: [recordings],
  },
  {
    name: 'console',
    what: "the console's own process, asked as a browser and as an intruder would",
    before: null,
    lane: 'computes',
    requires: [],
    wants: [],
  },
  {
    name: 'contract',
    what: "the store against a real API server, the probe on this kernel and on Debian's",
    before: null,
    lane: 'computes',
    requires: [controlPlane, calicoFiles],
    wants: [nodeTools, debianKernel],
  },
  {
    name: 'dataplane',
    what: 'the eBPF programs in this kernel, with traffic between network namespaces',
    before: null,
    lane: 'computes',
    requires: [dataPlaneTools],
    wants: [bpfCompiler],
  },
  {
    name: 'hostile',
    what: 'each attack of docs/security.md, carried out against the real parts',
    before: null,
    lane: 'computes',
    requires: [browser, controlPlane, calicoFiles],
    wants: [],
  },
  {
    name: 'cluster',
    what: 'whole journeys on a real API server',
    before: null,
    lane: 'waits',
    requires: [controlPlane, calicoFiles],
    wants: [recordings, nodeTools],
  },
  {
    name: 'browser',
    what: 'whole journeys in Chromium, on sandboxes and on a real API server',
    before: null,
    lane: 'waits',
    requires: [browser, controlPlane, calicoFiles],
    wants: [],
  },
];
