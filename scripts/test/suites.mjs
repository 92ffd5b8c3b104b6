import { browser, calicoFiles, controlPlane, nodeTools, recordings } from './needs.mjs';

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} what is real in it, for people
 * @property {'programs' | null} before `programs`: the static checks run before vitest
 * @property {readonly import('./needs.mjs').Need[]} requires without one of these the suite does not run
 * @property {readonly import('./needs.mjs').Need[]} wants without one of these a part of it passes itself over
 */

/** Every suite, cheapest first: what fails fast fails first. Each has a vitest project of its name. @type {readonly Suite[]} */
export const suites = [
  { name: 'static', what: 'format, lint, types, architecture', before: 'programs', requires: [], wants: [] },
  { name: 'unit', what: 'one folder at a time, no cluster', before: null, requires: [], wants: [recordings] },
  {
    name: 'console',
    what: "the console's own process, asked as a browser and as an intruder would",
    before: null,
    requires: [],
    wants: [],
  },
  {
    name: 'contract',
    what: 'the store against a real API server, the probe on a real kernel',
    before: null,
    requires: [controlPlane, calicoFiles],
    wants: [nodeTools],
  },
  {
    name: 'hostile',
    what: 'each attack of docs/security.md, carried out against the real parts',
    before: null,
    requires: [browser, controlPlane, calicoFiles],
    wants: [],
  },
  {
    name: 'cluster',
    what: 'whole journeys on a real API server',
    before: null,
    requires: [controlPlane, calicoFiles],
    wants: [recordings, nodeTools],
  },
  {
    name: 'browser',
    what: 'whole journeys in Chromium, on sandboxes and on a real API server',
    before: null,
    requires: [browser, controlPlane, calicoFiles],
    wants: [],
  },
];
