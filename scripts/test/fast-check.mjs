import { createRequire } from 'node:module';

/**
 * Stands for fast-check in tests (vitest.config.ts): the same cases in every run, so that what passed here passes there. `SIGNALBOX_SEED=$RANDOM`
 * searches elsewhere; a failure prints its seed.
 * @type {typeof import('fast-check').default}
 */
const fc = createRequire(import.meta.url)('fast-check');
fc.configureGlobal({ seed: Number(process.env.SIGNALBOX_SEED ?? 20_261_121) });

export default fc;
