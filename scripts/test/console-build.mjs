import { resolve } from 'node:path';
import { makeReady } from '../start/make-ready.mjs';

/**
 * Provides the build of the pages for all workers of a project that drives the console; vitest calls this once. It is the same build as of `npm start`.
 * SIGNALBOX_BUILD names an existing build to use unchecked, while working on tests.
 * @param {import('vitest/node').TestProject} project
 */
export default async function provideBuild(project) {
  const given = process.env.SIGNALBOX_BUILD;
  project.provide('consoleBuild', given ? resolve(given) : await makeReady());
}
