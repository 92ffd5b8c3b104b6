import {
  bpfCompiler,
  browser,
  calicoFiles,
  clickHouse,
  controlPlane,
  dataPlaneTools,
  nodeTools,
  otherKernels,
  recordings,
} from './needs.mjs';

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} what is real in it, for people
 * @property {'programs' | null} before `programs`: the static checks run before vitest
 * @property {'alone' | 'beside' | 'below'} runs `alone`: before all others; `beside`: two of them at a time; `below`: beside those from their start,
 *   with the processor's time that they leave
 * @property {readonly import('./needs.mjs').Need[]} requires without one of these the suite does not run
 * @property {readonly import('./needs.mjs').Need[]} wants without one of these a part of it passes itself over
 */

/**
 * Every suite, in the order in which they begin (in-turn.mjs): the longest first, so that none is left alone at the end with a core that nobody uses.
 * Cluster and browser wait for a third of their time; what only computes fills that. Each has a vitest project of its name.
 * @type {readonly Suite[]}
 */
export const suites = [
  {
    name: 'static',
    what: 'format, lint, types, architecture',
    before: 'programs',
    runs: 'alone',
    requires: [],
    wants: [],
  },
  {
    name: 'kernels',
    what: "the probe on this kernel, and with the data plane's programs on others",
    before: null,
    // It measures milliseconds, and beside others an emulated machine takes five times the processor.
    runs: 'alone',
    requires: [],
    wants: [nodeTools, dataPlaneTools, otherKernels],
  },
  {
    name: 'cluster',
    what: 'whole journeys on a real API server',
    before: null,
    runs: 'beside',
    requires: [controlPlane, calicoFiles],
    wants: [recordings, nodeTools],
  },
  {
    name: 'browser',
    what: 'whole journeys in Chromium, on sandboxes and on a real API server',
    before: null,
    runs: 'beside',
    requires: [browser, controlPlane, calicoFiles],
    wants: [],
  },
  {
    name: 'hostile',
    what: 'each attack of docs/security.md, carried out against the real parts',
    before: null,
    runs: 'beside',
    requires: [browser, controlPlane, calicoFiles],
    wants: [],
  },
  {
    name: 'console',
    what: "the console's own process, asked as a browser and as an intruder would",
    before: null,
    runs: 'beside',
    requires: [],
    wants: [],
  },
  {
    name: 'dataplane',
    what: 'the eBPF programs in this kernel, with traffic between network namespaces',
    before: null,
    runs: 'beside',
    requires: [dataPlaneTools],
    wants: [bpfCompiler],
  },
  {
    name: 'contract',
    what: 'the store against a real API server, and the two engines of the history against each other',
    before: null,
    runs: 'beside',
    requires: [controlPlane, calicoFiles],
    wants: [clickHouse],
  },
  {
    name: 'unit',
    what: 'one folder at a time, no cluster',
    before: null,
    runs: 'below',
    requires: [],
    wants: [recordings],
  },
];
