import { resolve } from 'node:path';
import { makeReady } from '../start/make-ready.mjs';

/**
 * Vitest calls this once, before the workers of a project that drives the console: they share one build, and the same as `npm start` would make.
 * SIGNALBOX_BUILD names a build that is used as it is, while working on tests.
 * @param {import('vitest/node').TestProject} project
 */
export default async function provideBuild(project) {
  const given = process.env.SIGNALBOX_BUILD;
  project.provide('consoleBuild', given ? resolve(given) : await makeReady());
}
