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
 * @property {string} what the suite runs and which parts are real, for people
 * @property {'programs' | null} before `programs`: the static checks run before vitest
 * @property {'alone' | 'first' | 'beside' | 'below'} runs `alone`: before all others; `first`: before those `beside`; `beside`: two of them at a time;
 *   `below`: at the same time as `first` and `beside`, with the CPU time that they leave
 * @property {readonly import('./needs.mjs').Need[]} requires without one of these the suite does not run
 * @property {readonly import('./needs.mjs').Need[]} wants without one of these the suite skips the tests that need it
 */

/**
 * Every suite, in the order in which they begin (in-turn.mjs): the longest first, so that no core is idle at the end. `cluster` and `browser` wait for a
 * third of their time, which `unit` fills, as it only computes. Each suite has a vitest project of its name.
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
    // The probe measures milliseconds. The emulated machines leave half of a core.
    runs: 'first',
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
