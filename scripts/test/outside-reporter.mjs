import { writeFileSync } from 'node:fs';

/**
 * Records errors outside of all tests (an unhandled rejection, a worker that ended). Vitest's JSON leaves them out, and its exit code is the same as for a
 * failed test.
 */
export default class OutsideReporter {
  /** @param {readonly import('vitest/node').TestModule[]} _modules @param {readonly import('vitest/node').SerializedError[]} errors */
  onTestRunEnd(_modules, errors) {
    const file = process.env.SIGNALBOX_OUTSIDE_ERRORS;
    if (file)
      writeFileSync(file, JSON.stringify(errors.map(({ name, message, stack }) => stack || `${name}: ${message}`)));
  }
}
