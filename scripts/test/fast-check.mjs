import { createRequire } from 'node:module';

/**
 * Replaces fast-check in tests (vitest.config.ts) to use the same cases in every run, so that a test does not fail by chance on another machine.
 * `SIGNALBOX_SEED=$RANDOM` tries other cases; a failure prints its seed.
 * @type {typeof import('fast-check').default}
 */
const fc = createRequire(import.meta.url)('fast-check');
fc.configureGlobal({ seed: Number(process.env.SIGNALBOX_SEED ?? 20_261_121) });

export default fc;
