import { writeFileSync } from 'node:fs';

/**
 * Writes down what went wrong outside of every test (an unhandled rejection, a worker that ended), which vitest's JSON leaves out: its exit code alone
 * would not tell that from a test that failed.
 */
export default class OutsideReporter {
  /** @param {readonly import('vitest/node').TestModule[]} _modules @param {readonly import('vitest/node').SerializedError[]} errors */
  onTestRunEnd(_modules, errors) {
    const file = process.env.SIGNALBOX_OUTSIDE_ERRORS;
    if (file)
      writeFileSync(file, JSON.stringify(errors.map(({ name, message, stack }) => stack || `${name}: ${message}`)));
  }
}
